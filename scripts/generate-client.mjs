// Writes the parts of packages/client that derive from the contract: the types of
// @parley/client/server, its methods and their requests (server/contract.ts, server/groups.ts), and
// the events of a realtime session. `--check` changes nothing and fails if a file is out of date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  customEvents,
  openApiDocument,
  operations,
  organizationOperations,
  problems,
  providerEvents,
  realtimeErrors,
  webhookEventData,
  webhookEvents,
} from '@parley/protocol';
import { root } from './build.mjs';
import { formatted } from './formatted.mjs';
import { doc, nameIn, typeOf, union } from './schema-types.mjs';

/**
 * Every method of the client: its group, its name and its operation, with its own description if
 * the contract's does not fit.
 */
const groups = {
  agents: {
    list: 'listAgents',
    create: 'createAgent',
    get: 'getAgent',
    replace: 'replaceAgent',
    update: 'updateAgent',
    delete: 'deleteAgent',
    tryTool: 'tryTool',
    listServerTools: 'listServerTools',
  },
  questions: {
    ask: { id: 'askQuestion', summary: 'Ask an agent a question in text' },
    stream: {
      id: 'askQuestion',
      gives: 'events',
      summary: 'Ask an agent a question in text; its answer is streamed as events',
    },
  },
  realtimeSessions: {
    create: 'createRealtimeSession',
    list: 'listRealtimeSessions',
    end: 'endRealtimeSession',
  },
  approvals: { list: 'listApprovals', approve: 'approveCall', reject: 'rejectCall' },
  conversations: {
    list: 'listConversations',
    get: 'getConversation',
    listMessages: 'listMessages',
    export: 'exportConversation',
    delete: 'deleteConversation',
  },
  usage: { get: 'getUsage' },
  files: {
    list: 'listTemporaryFiles',
    upload: 'uploadTemporaryFile',
    get: 'getTemporaryFile',
    download: 'downloadTemporaryFile',
    delete: 'deleteTemporaryFile',
  },
  tasks: {
    list: 'listTasks',
    create: 'createTask',
    get: 'getTask',
    replace: 'replaceTask',
    update: 'updateTask',
    delete: 'deleteTask',
    saveByExternalId: 'saveTaskByExternalId',
  },
  connections: {
    list: 'listConnections',
    create: 'createConnection',
    get: 'getConnection',
    update: 'updateConnection',
    delete: 'deleteConnection',
    test: 'testConnection',
  },
  webhooks: {
    list: 'listWebhooks',
    create: 'createWebhook',
    get: 'getWebhook',
    update: 'updateWebhook',
    delete: 'deleteWebhook',
    replaceSecret: 'replaceWebhookSecret',
    listDeliveries: 'listWebhookDeliveries',
    redeliver: 'redeliverWebhookDelivery',
  },
  apiKeys: {
    list: 'listApiKeys',
    create: 'createApiKey',
    update: 'updateApiKey',
    revoke: 'deleteApiKey',
  },
  members: {
    list: 'listMembers',
    add: 'createMember',
    changeRole: 'updateMember',
    remove: 'deleteMember',
    createSignInLink: 'createSignInLink',
  },
  events: { listen: { id: 'listenToEvents', gives: 'happenings' } },
  audit: {
    list: 'listAuditLog',
    verify: 'verifyAuditLog',
    export: {
      id: 'exportAuditLog',
      gives: 'records',
      summary: 'Read all matching audit records, oldest first',
      description: 'For archives and other systems: any length, in constant memory.',
    },
    exportCsv: {
      id: 'exportAuditLog',
      gives: 'text',
      summary: 'Read all matching audit records, oldest first, as CSV',
      description:
        'For archives and other systems: any length, in constant memory. Resume an interrupted export with `after`.',
    },
  },
};

/** Added to the operation's description in the method's comment. */
const notes = {
  page: '\n\nAwait it for one page, or loop over it with `for await` for all items.',
  answer:
    '\n\nCheck `status`: an answer that is not `completed` yet will be added to the conversation.',
  events: '\n\nLoop over the events with `for await`, or await `answer()` for the whole answer.',
  happenings:
    '\n\nLoop over the events with `for await`; leaving the loop disconnects. A broken connection is re-established and resumes after the last event.',
  records:
    '\n\nLoop over the records with `for await`. An interrupted export resumes automatically.',
  text: '\n\nLoop over the chunks of CSV with `for await`, and write them in order.',
};

/** The schemas of responses that are not JSON. */
const refersTo = {
  events: { $ref: '#/components/schemas/AnswerEvent' },
  happenings: { $ref: '#/components/schemas/OrganizationEvent' },
  records: { $ref: '#/components/schemas/AuditRecord' },
};
/** Parameters that the client sets itself: the format of an export, and the organization. */
const said = ['Format', 'OrgId'];
const header = '// Generated from the contract by npm run contract; do not edit.';

const document = openApiDocument('');
const { schemas } = document.components;
/** The operations of the document, by id. */
const described = new Map(
  Object.values(document.paths)
    .flatMap((path) => Object.values(path))
    .map((operation) => [operation.operationId, operation]),
);
const methods = Object.entries(groups).flatMap(([group, names]) =>
  Object.entries(names).map(([name, row]) => methodOf(group, name, row)),
);
// Sign-in operations are for pages; a caller with an API key does not need them.
const unnamed = Object.keys(organizationOperations).filter(
  (id) => !methods.some((method) => method.id === id),
);
if (unnamed.length > 0) {
  console.error(`No method calls ${unnamed.join(', ')}: name one in scripts/generate-client.mjs.`);
  process.exit(1);
}

const files = {
  'server/contract.ts': contractFile(),
  'server/groups.ts': groupsFile(),
  'session/service-events.ts': eventsFile(),
};
for (const [name, code] of Object.entries(files)) {
  const file = join(root, 'packages/client/src', name);
  const text = await formatted(file, code);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  if (process.argv.includes('--check')) {
    console.error(`${file} is out of date; run npm run contract.`);
    process.exitCode = 1;
  } else {
    writeFileSync(file, text);
    console.log(`${name} of @parley/client has changed: build again.`);
  }
}

function methodOf(group, name, row) {
  const { id, gives, ...words } = typeof row === 'string' ? { id: row } : row;
  const operation = operations[id];
  if (!operation) throw new Error(`${group}.${name} calls ${id}, which is no operation.`);
  const params = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param);
  return {
    ...{ group, name, id, operation, params },
    gives: gives ?? givenBy(id, operation),
    words: { ...described.get(id), ...words },
  };
}

/**
 * How the response is handled; `packages/client/src/server/bind-methods.ts` has a function for
 * each.
 */
function givenBy(id, { success }) {
  if (success.status === 204) return 'nothing';
  if (success.download) return 'download';
  if (success.orAccepted) return 'answer';
  if (itemOf(answerOf(id))) return 'page';
  return 'json';
}

function answerOf(id) {
  const responses = Object.entries(described.get(id).responses);
  return responses
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => content?.['application/json']?.schema);
}

/** The schema of the items, if the response is a page of them. */
function itemOf([schema]) {
  const named = schema?.$ref && schemas[nameIn(schema.$ref)];
  return named?.properties?.items && named.properties.total && named.properties.items.items;
}

/** The request and response types. */
function contractFile() {
  return [
    header,
    ...queryTypes(),
    ...reachable(methods.flatMap(takenAndGiven)).map(schemaType),
    ...webhookTypes(),
    `/** The values of \`errorCode\` of a \`ParleyApiError\`. See /docs/errors for what to do about each. */
export type ErrorCode = ${union([...Object.keys(problems), ...Object.keys(realtimeErrors)])};`,
  ].join('\n\n');
}

/** The methods: their types, and the requests they send. */
function groupsFile() {
  const types = Object.keys(groups).map(groupType);
  const rows = Object.keys(groups).map(groupRows);
  const named = [...reachable(methods.flatMap(takenAndGiven)), ...queryTypeNames()];
  const used = named.filter((name) => new RegExp(`\\b${name}\\b`).test(signaturesOf(types)));
  return [
    header,
    `import type { AnswerStream } from './answer-stream.js';
import type { CallOptions, ChangeOptions, ListenOptions, PostOptions } from './call-options.js';
import type { ${used.join(', ')} } from './contract.js';
import type { ListenedEvent } from './organization-events.js';
import type { Listing } from './listing.js';
import type { Method } from './method.js';
import type { FileToUpload } from './upload.js';`,
    ...types,
    `/** Every group of methods, by its name in \`Parley\`. */
export type Groups = {${Object.keys(groups)
      .map((group) => `readonly ${group}: ${capital(group)};`)
      .join('\n')}};`,
    `/** The request that each method sends, and how its response is handled. */
export const methods = {${rows.join('\n')}
} as const satisfies { [Group in keyof Groups]: Record<keyof Groups[Group], Method> };`,
  ].join('\n\n');
}

/** The events on the WebSocket of a realtime session. */
function eventsFile() {
  const rows = Object.entries(customEvents).map(
    ([type, { doc: description, data }]) =>
      `${doc({ description })}${JSON.stringify(type)}: ${typeOf(data)};`,
  );
  return [
    header,
    `/** Events that the service adds to the provider's: the \`data\` of each, by type. */
export type ServiceEvents = {${rows.join('\n')}};`,
    `/** The known events of the provider, which may send others. */
export type ProviderEventType = ${union(Object.keys(providerEvents))};`,
  ].join('\n\n');
}

/** Without the comments. */
function signaturesOf(types) {
  return types.join('\n').replaceAll(/\/\*\*[^]*?\*\//g, '');
}

function groupType(group) {
  const own = methods.filter((method) => method.group === group);
  const { tag } = own[0].operation;
  const about = document.tags.find(({ name }) => name === tag).description;
  return `/** ${group === 'questions' ? 'Questions to agents, in text.' : about} */\nexport type ${capital(group)} = {${own.map(signature).join('\n\n')}};`;
}

function signature({ name, id, operation, params, gives, words }) {
  const { summary, description } = words;
  const text = `${summary}.\n\n${description}${notes[gives] ?? ''}`;
  const comment = doc({ description: inMethods(text) });
  const args = [
    ...params.map((param) => `${param}: string`),
    ...bodyArgument(id, operation),
    ...(takesQuery(operation) ? [`query?: ${queryName(id)}`] : []),
    `options?: ${optionsOf(operation)}`,
  ];
  return `${comment}${name}(${args.join(', ')}): ${resultOf(id, gives)};`;
}

/** Replaces the operations that the contract mentions with the client's methods. */
function inMethods(text) {
  return text.replaceAll(/`(\w+)`/g, (word, id) => {
    const method = methods.find((each) => each.id === id);
    return method ? `\`${method.group}.${method.name}\`` : word;
  });
}

function bodyArgument(id, { body, bodyOptional, upload }) {
  if (upload) return ['file: FileToUpload'];
  if (!body) return [];
  const { schema } = described.get(id).requestBody.content['application/json'];
  return [`body${bodyOptional ? '?' : ''}: ${typeOf(schema)}`];
}

function resultOf(id, gives) {
  const answers = answerOf(id).filter(Boolean);
  switch (gives) {
    case 'nothing':
      return 'Promise<void>';
    case 'page':
      return `Listing<${typeOf(itemOf(answers))}>`;
    case 'download':
      return 'Promise<Response>';
    case 'events':
      return 'AnswerStream';
    case 'happenings':
      return 'AsyncIterable<ListenedEvent>';
    case 'records':
      return 'AsyncIterable<AuditRecord>';
    case 'text':
      return 'AsyncIterable<string>';
    default:
      return `Promise<${[...new Set(answers.map(typeOf))].join(' | ')}>`;
  }
}

function optionsOf({ method, ifMatch, resumable }) {
  if (resumable) return 'ListenOptions';
  if (method === 'post') return 'PostOptions';
  return ifMatch ? 'ChangeOptions' : 'CallOptions';
}

function queryTypeNames() {
  const ids = methods.filter(({ operation }) => takesQuery(operation)).map(({ id }) => id);
  return [...new Set(ids.map(queryName))];
}

/** One type per set of parameters; lists with only paging parameters share one. */
function queryTypes() {
  const types = new Map();
  for (const { id, operation, group, name } of methods)
    if (takesQuery(operation) && !types.has(queryName(id)))
      types.set(queryName(id), { type: queryType(id), taker: `${group}.${name}` });
  return [...types].map(([name, { type, taker }]) => {
    const comment = name === 'PageQuery' ? 'Selects a page of a list.' : `Filters of \`${taker}\`.`;
    return `/** ${comment} */\nexport type ${name} = ${type};`;
  });
}

function queryName(id) {
  const names = Object.keys(operations[id].query.properties);
  return same(names, ['Offset', 'Limit']) ? 'PageQuery' : `${capital(id)}Query`;
}

function takesQuery({ query }) {
  return Object.keys(query?.properties ?? {}).some((name) => !said.includes(name));
}

/** Spelled as in JavaScript: `agentId` for AgentId. */
function queryType(id) {
  const parameters = described
    .get(id)
    .parameters.filter((parameter) => parameter.in === 'query' && !said.includes(parameter.name));
  const fields = parameters.map(({ name, description, schema }) => {
    if (!/^[A-Z]/.test(name)) throw new Error(`The client cannot name the parameter ${name}.`);
    return `${doc({ description })}${name[0].toLowerCase()}${name.slice(1)}?: ${typeOf(schema)} | undefined;`;
  });
  return `{${fields.join('\n')}}`;
}

function groupRows(group) {
  const rows = methods
    .filter((method) => method.group === group)
    .map(({ name, operation, gives }) => {
      const row = { verb: operation.method.toUpperCase(), path: `/api/v1${operation.path}` };
      return `${name}: ${JSON.stringify({ ...row, takes: takenBy(operation), gives })},`;
    });
  return `${group}: {${rows.join('\n')}},`;
}

function takenBy(operation) {
  if (operation.upload) return 'file';
  if (operation.body) return 'body';
  return takesQuery(operation) ? 'query' : 'nothing';
}

/** The schemas that these refer to, directly or indirectly, in the document's order. */
function reachable(values) {
  const seen = new Set();
  const visit = (value) => {
    const found = JSON.stringify(value ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g);
    for (const [, name] of found) {
      if (seen.has(name)) continue;
      seen.add(name);
      visit(schemas[name]);
    }
  };
  visit(values);
  return Object.keys(schemas).filter((name) => seen.has(name));
}

function takenAndGiven({ id, gives }) {
  return [described.get(id).requestBody, ...givenSchemas({ id, gives })];
}

function givenSchemas({ id, gives }) {
  return [...answerOf(id).map(unpaged), refersTo[gives]];
}

function schemaType(name) {
  const onlyTaken = !reachable(methods.flatMap(givenSchemas)).includes(name);
  return `${doc(aboutSchema(name))}export type ${name} = ${typeOf(schemas[name], onlyTaken)};`;
}

/** A schema without a description is described by the methods that take or return it. */
function aboutSchema(name) {
  if (schemas[name].description) return schemas[name];
  const mentions = (value) => JSON.stringify(value ?? null).includes(`schemas/${name}"`);
  const by = (filter) =>
    methods.filter(filter).map((method) => `\`${method.group}.${method.name}\``);
  const takers = by(({ id }) => mentions(described.get(id).requestBody));
  if (takers.length > 0) return { description: `Taken by ${takers.join(', ')}.` };
  const givers = by(({ id }) => mentions(answerOf(id).map(unpaged)));
  if (givers.length > 0) return { description: `Returned by ${givers.join(', ')}.` };
  const owner = Object.keys(schemas).find((each) => each !== name && mentions(schemas[each]));
  return { description: `Part of \`${owner}\`.` };
}

function unpaged(schema) {
  return itemOf([schema]) ?? schema;
}

function webhookTypes() {
  const named = Object.entries(webhookEventData).map(([type, data]) => {
    const name = `${type.split('.').map(capital).join('')}Webhook`;
    const schema = JSON.parse(JSON.stringify(data));
    return { name, text: `{type: '${type}'; timestamp: string; data: ${typeOf(schema)}}`, type };
  });
  return [
    ...named.map(
      ({ name, text, type }) => `/** ${webhookEvents[type]} */\nexport type ${name} = ${text};`,
    ),
    `/** The events that webhooks receive; \`verifyWebhook\` returns them. */
export type WebhookEvent = ${named.map(({ name }) => name).join(' | ')};`,
  ];
}

function capital(word) {
  return word[0].toUpperCase() + word.slice(1);
}

function same(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}
