import type { Request, RequestHandler, Response } from 'express';
import { Problem } from '@parley/protocol';
import { dataHeaders } from './security-headers.js';

/** Where the paths of the contract begin. */
export const apiPath = '/api/v1';

/** What handles one method of one path of the contract. */
export type Route = {
  readonly method: string;
  /** With parameters such as `{agentId}`. */
  readonly path: string;
  readonly handle: (request: Request, response: Response) => Promise<void> | void;
};

/** The segment at a depth of the path is the value of the parameter. */
type Bound = Route & { readonly parameters: readonly { name: string; depth: number }[] };
type ByMethod = Map<string, Bound>;

type Branch = {
  readonly literals: Map<string, Branch>;
  parameter?: Branch;
  /** What ends here. */
  methods?: ByMethod;
};

/**
 * Calls the handler of the request's path and method. Finds it segment by segment, so that a
 * request pays for its own path and not for all others, as it would with a list of patterns.
 */
export function routes(rows: readonly Route[]): RequestHandler {
  const root = branch();
  for (const row of rows) add(root, row);
  const headers = dataHeaders();
  return (request, response, next) => {
    const { path } = request;
    const segments = path.startsWith(apiPath) ? path.slice(apiPath.length).split('/') : [];
    const methods = segments[0] === '' ? find(root, segments, 1) : undefined;
    if (!methods) {
      next();
      return undefined;
    }
    for (const [name, value] of headers) response.setHeader(name, value);
    const bound = methods.get(request.method === 'HEAD' ? 'GET' : request.method);
    if (!bound) throw methodNotAllowed(methods);
    response.locals['route'] = bound.path;
    request.params = parametersOf(bound, segments);
    return bound.handle(request, response);
  };
}

function branch(): Branch {
  return { literals: new Map() };
}

function add(root: Branch, row: Route): void {
  const parameters: Bound['parameters'][number][] = [];
  let at = root;
  for (const [depth, segment] of row.path.split('/').entries()) {
    if (depth === 0) continue;
    const [, name] = /^\{(\w+)\}$/.exec(segment) ?? [];
    if (name === undefined) {
      const next = at.literals.get(segment) ?? branch();
      at.literals.set(segment, next);
      at = next;
    } else {
      parameters.push({ name, depth });
      at = at.parameter ??= branch();
    }
  }
  at.methods ??= new Map();
  at.methods.set(row.method.toUpperCase(), { ...row, parameters });
}

/** A literal segment wins over a parameter. */
function find(at: Branch, segments: readonly string[], depth: number): ByMethod | undefined {
  const segment = segments[depth];
  if (segment === undefined) return at.methods;
  const literal = at.literals.get(segment);
  const found = literal && find(literal, segments, depth + 1);
  if (found || !at.parameter || segment === '') return found;
  return find(at.parameter, segments, depth + 1);
}

function parametersOf({ parameters }: Bound, segments: readonly string[]): Request['params'] {
  const values: Request['params'] = {};
  for (const { name, depth } of parameters) values[name] = decoded(segments[depth] ?? '');
  return values;
}

function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Problem('request-malformed', 'The path cannot be decoded.');
  }
}

function methodNotAllowed(methods: ByMethod): Problem {
  const allowed = [...methods.keys()].join(', ');
  return new Problem('method-not-allowed', `This path accepts ${allowed}.`, {
    headers: { Allow: allowed },
  });
}
