import type { TSchema } from '@sinclair/typebox';
import { problems, realtimeErrors, type ProblemCode } from '../errors.js';
import { ownProperty } from '../own-property.js';
import { ProblemBody } from '../schemas/problem.js';
import { RealtimeErrorBody } from '../schemas/realtime-session.js';
import { answerStream } from './answer-stream.js';
import { namedSchemas } from './named-schemas.js';
import {
  idempotencyKeyPattern,
  pathParameters,
  tags,
  type Operation,
  type Success,
} from './operation.js';
import { operations } from './operations.js';

/** Refusals that every operation shares; a body or a path id adds its own. */
const everyOperation: ProblemCode[] = [
  'key-missing',
  'key-invalid',
  'key-expired',
  'organization-missing',
  'organization-malformed',
  'organization-forbidden',
  'scope-missing',
  'rate-limited',
  'request-malformed',
  'query-invalid',
  'service-unavailable',
  'internal',
];
const withPathId: ProblemCode[] = ['id-malformed', 'not-found'];
const withBody: ProblemCode[] = [
  'body-malformed',
  'body-invalid',
  'body-too-large',
  'media-type-unsupported',
];

const withIfMatch: ProblemCode[] = ['precondition-malformed', 'precondition-failed'];
const withIdempotencyKey: ProblemCode[] = [
  'idempotency-key-malformed',
  'idempotency-key-reused',
  'idempotency-in-progress',
];

const components: Record<string, TSchema> = {
  ...namedSchemas,
  Problem: ProblemBody,
  RealtimeError: RealtimeErrorBody,
};
const nameOf = new Map<unknown, string>(
  Object.entries(components).map(([name, schema]) => [schema, name]),
);

export type OpenApiDocument = {
  openapi: string;
  info: object;
  paths: Record<string, Record<string, object>>;
  components: { schemas: Record<string, object> };
};

export function openApiDocument(version: string): OpenApiDocument {
  const paths: Record<string, Record<string, object>> = {};
  for (const [id, operation] of Object.entries<Operation>(operations)) {
    const path = `/api/v1${operation.path}`;
    const described = { [operation.method]: describe(id, operation) };
    paths[path] = { ...ownProperty(paths, path), ...described };
  }
  return {
    openapi: '3.1.0',
    ...preamble(version),
    paths,
    components: {
      ...security,
      schemas: Object.fromEntries(
        Object.entries(components).map(([name, schema]) => [name, inline(schema)]),
      ),
    },
  };
}

/** Every problem code that an operation may answer with. */
export function problemsOf(operation: Operation): ProblemCode[] {
  const codes = [
    ...everyOperation,
    ...(pathParameters(operation).length > 0 ? withPathId : []),
    ...(operation.body || operation.upload ? withBody : []),
    ...(operation.ifMatch ? withIfMatch : []),
    ...(operation.method === 'post' ? withIdempotencyKey : []),
    ...operation.problems,
  ];
  return [...new Set(codes)];
}

const security = {
  securitySchemes: {
    ApiKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Api-Key',
      description: 'Key of your integration. Keep it on your servers.',
    },
    Organization: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Org-Id',
      description: 'Id of the organization that the request is about.',
    },
  },
};

function preamble(version: string) {
  return {
    info: {
      title: 'Parley',
      version,
      summary: 'Agents over REST and realtime voice.',
      description:
        'Every request carries X-Api-Key and X-Org-Id. Errors are problem+json; realtime domain errors are `{status, detail, errorCode}`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [{ ApiKey: [], Organization: [] }],
  };
}

function describe(operationId: string, operation: Operation): object {
  return {
    operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: scopesNeeded(operation),
    ...(operation.deprecated && { deprecated: true }),
    parameters: [
      ...pathParameters(operation).map(pathParameter),
      ...queryParameters(operation),
      ...headerParameters(operation),
    ],
    ...requestBody(operation),
    responses: { ...successResponse(operation), ...refusals(operation) },
  };
}

function scopesNeeded({ scope, furtherScopes = [] }: Operation): string {
  const names = [scope, ...furtherScopes].map((name) => `\`${name}\``);
  const [last, ...others] = names.reverse();
  return others.length === 0
    ? `Needs the scope ${last}.`
    : `Needs the scopes ${others.reverse().join(', ')} and ${last}.`;
}

function requestBody({ body, bodyOptional, upload }: Operation): object {
  if (body) {
    const content = { 'application/json': { schema: reference(body) } };
    return { requestBody: { required: !bodyOptional, content } };
  }
  if (!upload) return {};
  const { field, description } = upload;
  const schema = {
    type: 'object',
    properties: { [field]: { description, contentMediaType: 'application/octet-stream' } },
    required: [field],
  };
  return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
}

function pathParameter({ name, schema }: { name: string; schema: TSchema }): object {
  return { name, in: 'path', required: true, schema: inline(schema) };
}

function queryParameters(operation: Operation): object[] {
  return Object.entries(operation.query?.properties ?? {}).map(([name, schema]) => {
    const { description, ...rest } = inline(schema) as { description?: string };
    return { name, in: 'query', ...(description !== undefined && { description }), schema: rest };
  });
}

function headerParameters({ method, ifMatch }: Operation): object[] {
  return [
    ...(ifMatch ? [{ name: 'If-Match', in: 'header', ...requestHeaders.ifMatch }] : []),
    ...(method === 'post'
      ? [{ name: 'Idempotency-Key', in: 'header', ...requestHeaders.idempotencyKey }]
      : []),
  ];
}

const requestHeaders = {
  ifMatch: {
    description:
      'Change only what still has this ETag; otherwise the answer is 412. Without it, the last write wins.',
    schema: { type: 'string' },
  },
  idempotencyKey: {
    description:
      'A text of your choice, new for each request. Repeating a request with its key within 24 hours answers the same again, with `Idempotent-Replayed: true`, and does nothing twice. A refusal is not kept: the same key may be tried again.',
    schema: { type: 'string', pattern: idempotencyKeyPattern },
  },
};

function successResponse({ method, success }: Operation): Record<string, object> {
  const statuses = [
    success.status,
    ...(success.orCreated ? [201 as const] : []),
    ...(success.orAccepted ? [202 as const] : []),
  ];
  return Object.fromEntries(
    statuses.map((status) => {
      const headers = responseHeaders(method, { ...success, status });
      const content = successContent(success);
      const description = descriptions[status];
      return [status, { description, headers, ...(content && { content }) }];
    }),
  );
}

type SuccessAs = Omit<Success, 'status'> & { status: keyof typeof descriptions };

const descriptions = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted; not finished yet',
  204: 'Done; no content',
};

function successContent({ schema, stream, download, orEvents }: Success): object | undefined {
  if (stream) {
    const streamed = schema ? reference(schema) : { type: 'string' };
    return Object.fromEntries(stream.map((type) => [type, { schema: streamed }]));
  }
  if (download) return Object.fromEntries(download.map((type) => [type, {}]));
  return (
    schema && {
      'application/json': { schema: reference(schema) },
      ...(orEvents && { 'text/event-stream': { schema: answerStream } }),
    }
  );
}

function responseHeaders(method: string, success: SuccessAs): object {
  const { status, etag, download, headers } = success;
  const described = {
    ...(download && { 'Content-Disposition': 'Attachment, with the name of the file.' }),
    ...(status === 201 && { Location: 'Path of the new resource.' }),
    ...(etag && { ETag: 'Names this state of the resource, for If-Match.' }),
    ...(method === 'post' && {
      'Idempotent-Replayed': '`true` when the answer is that of an earlier request.',
    }),
    ...headers,
  };
  return {
    'X-Request-Id': { schema: { type: 'string' } },
    ...Object.fromEntries(
      Object.entries(described).map(([name, description]) => [
        name,
        { description, schema: { type: 'string' } },
      ]),
    ),
  };
}

function refusals(operation: Operation): Record<string, object> {
  const byStatus = new Map<number, string[]>();
  for (const code of problemsOf(operation)) {
    const { status, title } = problems[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), title]);
  }
  const responses: Record<string, object> = {};
  for (const [status, titles] of [...byStatus].sort(([a], [b]) => a - b)) {
    const realtime = status === 400 ? (operation.realtimeErrors ?? []) : [];
    const content: Record<string, object> = {
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    };
    if (realtime.length > 0)
      content['application/json'] = { schema: { $ref: '#/components/schemas/RealtimeError' } };
    const details = realtime.map((code) => `${code}: ${realtimeErrors[code].doc}`);
    responses[status] = {
      description: [`${titles.join('; ')}.`, ...details].join('\n\n'),
      content,
    };
  }
  return responses;
}

function reference(schema: TSchema): object {
  const name = nameOf.get(schema);
  return name ? { $ref: `#/components/schemas/${name}` } : inline(schema);
}

/** A plain copy of a schema in which every named schema inside it is a reference. */
function inline(schema: unknown): object {
  return JSON.parse(
    JSON.stringify(schema, (_key, value: unknown) => {
      const name = value === schema ? undefined : nameOf.get(value);
      return name ? { $ref: `#/components/schemas/${name}` } : value;
    }),
  ) as object;
}
