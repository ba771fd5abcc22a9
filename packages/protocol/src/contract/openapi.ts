import type { TSchema } from '@sinclair/typebox';
import { problems, realtimeErrors, type ProblemCode } from '../errors.js';
import { ProblemBody } from '../schemas/problem.js';
import { RealtimeErrorBody } from '../schemas/realtime-session.js';
import { uuidPattern } from '../ids.js';
import { namedSchemas } from './named-schemas.js';
import { pathParameters, tags, type Operation } from './operation.js';
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
    const path = (paths[`/api/v1${operation.path}`] ??= {});
    path[operation.method] = describe(id, operation);
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
  return [
    ...everyOperation,
    ...(pathParameters(operation).length > 0 ? withPathId : []),
    ...(operation.body || operation.upload ? withBody : []),
    ...operation.problems,
  ];
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
    description: `Needs the scope \`${operation.scope}\`.`,
    parameters: [...pathParameters(operation).map(pathParameter), ...queryParameters(operation)],
    ...requestBody(operation),
    responses: { ...successResponse(operation), ...refusals(operation) },
  };
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

function pathParameter(name: string): object {
  return { name, in: 'path', required: true, schema: { type: 'string', pattern: uuidPattern } };
}

function queryParameters(operation: Operation): object[] {
  return Object.entries(operation.query?.properties ?? {}).map(([name, schema]) => {
    const { description, ...rest } = inline(schema) as { description?: string };
    return { name, in: 'query', ...(description !== undefined && { description }), schema: rest };
  });
}

function successResponse({ success }: Operation): Record<string, object> {
  const headers = {
    'X-Request-Id': { schema: { type: 'string' } },
    ...(success.status === 201 && {
      Location: { description: 'Path of the new resource.', schema: { type: 'string' } },
    }),
    ...(success.download && {
      'Content-Disposition': {
        description: 'Attachment, with the name of the file.',
        schema: { type: 'string' },
      },
    }),
  };
  const content = contentOf(success);
  const description = { 200: 'Success', 201: 'Created', 204: 'Done; no content' }[success.status];
  return { [success.status]: { description, headers, ...(content && { content }) } };
}

function contentOf({ schema, download }: Operation['success']): object | undefined {
  if (schema) return { 'application/json': { schema: reference(schema) } };
  return download && Object.fromEntries(download.map((type) => [type, {}]));
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
