import { roleFor, tags, type Operation } from './operation.js';
import { operations } from './operations.js';
import { ownProperty } from '../own-property.js';
import { refusalExamples } from './examples.js';
import { components, inline } from './plain-schema.js';
import { problemsOf } from './problems-of.js';
import { realtimeSocket, realtimeSocketPath } from './realtime-socket.js';
import { parametersOf, requestBody } from './request-parts.js';
import { commonHeaders, refusalResponses, successResponse } from './responses.js';

export type OpenApiDocument = {
  openapi: string;
  info: object;
  paths: Record<string, Record<string, object>>;
  components: {
    schemas: Record<string, object>;
    headers: Record<string, object>;
    examples: Record<string, { value: object }>;
  };
};

export function openApiDocument(version: string): OpenApiDocument {
  const paths: Record<string, Record<string, object>> = {};
  for (const [id, operation] of Object.entries<Operation>(operations)) {
    const path = `/api/v1${operation.path}`;
    const described = { [operation.method]: describe(id, operation) };
    paths[path] = { ...ownProperty(paths, path), ...described };
  }
  paths[`/api/v1${realtimeSocketPath}`] = { get: realtimeSocket };
  return {
    openapi: '3.1.0',
    ...preamble(version),
    paths,
    components: {
      ...security,
      schemas: Object.fromEntries(
        Object.entries(components).map(([name, schema]) => [name, inline(schema)]),
      ),
      headers: commonHeaders,
      examples: pickNamed(refusalExamples, paths),
    },
  };
}

/** Only those that the paths refer to: some refusals belong to no operation. */
function pickNamed<T>(examples: Record<string, T>, paths: object): Record<string, T> {
  const text = JSON.stringify(paths);
  return Object.fromEntries(
    Object.entries(examples).filter(([name]) => text.includes(`"#/components/examples/${name}"`)),
  );
}

const security = {
  securitySchemes: {
    ApiKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Api-Key',
      description: 'API key of your integration. Keep it on your servers.',
    },
    Organization: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Org-Id',
      description: 'Id of your organization.',
    },
    Console: {
      type: 'apiKey',
      in: 'cookie',
      name: 'parley_console',
      description:
        'Session of a signed-in person, in place of X-Api-Key. Requests that change something also need X-Parley-Csrf.',
    },
    Csrf: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Parley-Csrf',
      description: 'The `csrfToken` of `GET /Me`.',
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
      contact: { name: 'The operator of this deployment' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [keyed],
  };
}

function describe(operationId: string, operation: Operation): object {
  return {
    operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: `${operation.description}\n\n${accessNeeded(operation)}`,
    security: securityOf(operation),
    ...(operation.deprecated && { deprecated: true }),
    parameters: parametersOf(operation),
    ...requestBody(operation),
    responses: {
      ...successResponse(operation),
      ...refusalResponses({
        problems: problemsOf(operation),
        realtimeErrors: operation.realtimeErrors ?? [],
      }),
    },
  };
}

const keyed = { ApiKey: [], Organization: [] };

function securityOf({ access, method }: Operation): object[] {
  if (access === 'anybody') return [];
  const session = { Console: [], ...(method !== 'get' && { Csrf: [] }) };
  return access === 'session' ? [session] : [keyed, { ...session, Organization: [] }];
}

function accessNeeded(operation: Operation): string {
  if (operation.access === 'anybody') return 'Needs no API key.';
  if (operation.access === 'session') return 'Needs the console cookie.';
  return `${scopesNeeded(operation)} A member needs the role \`${roleFor(operation)}\`.`;
}

function scopesNeeded({ scope, furtherScopes = [], orScopes = [] }: Operation): string {
  const names = [scope, ...orScopes, ...furtherScopes].map((name) => `\`${name}\``);
  if (orScopes.length > 0) return `Needs one of the scopes ${names.join(', ')}.`;
  const [last, ...others] = names.reverse();
  return others.length === 0
    ? `Needs the scope ${last}.`
    : `Needs the scopes ${others.reverse().join(', ')} and ${last}.`;
}
