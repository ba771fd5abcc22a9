import { Router, type Request, type Response } from 'express';
import type { Database } from '@parley/database';
import {
  isUuid,
  operations,
  pathParameters,
  Problem,
  validatorOf,
  type Operation,
  type OperationId,
} from '@parley/protocol';
import type { RateLimit } from '@parley/session-store';
import { authenticate } from './authenticate.js';
import type { AnyHandler, Call, Caller, Handlers, Target } from './call.js';
import { sendDownload, type Download } from './download.js';
import { notFound } from './found.js';
import { jsonBodyReader } from './json-body.js';
import { queryReader } from './query.js';
import { throttle } from './throttle.js';
import { uploadReader } from './upload-body.js';

export type RouterOptions = {
  handlers: Handlers;
  database: Database;
  rateLimits: { requests: RateLimit; sessions: RateLimit };
  maxBodyBytes: number;
  maxFileBytes: number;
};

/** Binds every operation of the contract to its handler. The order of the checks is the order of the lines in `perform`. */
export function operationRouter(options: RouterOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const [id, operation] of Object.entries<Operation>(operations)) {
    const perform = performer(operation, options.handlers[id as OperationId], options);
    router[operation.method](expressPath(operation.path), async (request, response) => {
      response.locals['route'] = operation.path;
      await perform(request, response);
    });
  }
  for (const [path, methods] of methodsByPath())
    router.all(expressPath(path), () => {
      throw new Problem('method-not-allowed', `This path accepts ${methods}.`, {
        headers: { Allow: methods },
      });
    });
  return router;
}

function performer(operation: Operation, handler: AnyHandler, options: RouterOptions) {
  const requests = { limit: options.rateLimits.requests, name: 'requests', required: false };
  const sessions = { limit: options.rateLimits.sessions, name: 'sessions', required: true };
  const readQuery = queryReader(operation.query);
  const readBody = bodyReader(operation, options);
  return async (request: Request, response: Response): Promise<void> => {
    const caller = await authenticate(request, options.database);
    Object.assign(response.locals, { organizationId: caller.organizationId, keyId: caller.keyId });
    requireScope(caller, operation);
    await throttle(response, caller.keyId, requests);
    if (operation.rateLimit) await throttle(response, caller.keyId, sessions);
    const params = pathIds(request, operation);
    const query = readQuery(request.url);
    const target = { caller, params } as Target<OperationId>;
    if (handler.visible && !(await handler.visible(target))) throw notFound();
    const body = await readBody(request, response);
    const call = { caller, params, query, body } as Call<OperationId>;
    const answer = await handler.run(call);
    if (operation.success.download) await sendDownload(response, answer as Download);
    else send(request, response, { status: operation.success.status, answer });
  };
}

/** A key without the scope gets 403; that a key is in a mode without realtime is the realtime operations' own error. */
function requireScope(caller: Caller, { scope, realtimeErrors }: Operation): void {
  if (caller.scopes.includes(scope) || realtimeErrors?.includes('RealtimeNotEnabled')) return;
  throw new Problem('scope-missing', `The key lacks the scope '${scope}'.`);
}

function pathIds(request: Request, operation: Operation): Record<string, string> {
  const ids: Record<string, string> = {};
  for (const name of pathParameters(operation)) {
    const text = request.params[name];
    if (typeof text !== 'string' || !isUuid(text))
      throw new Problem('id-malformed', `The ${name} in the path must be a UUID.`);
    ids[name] = text.toLowerCase();
  }
  return ids;
}

function bodyReader(
  operation: Operation,
  { maxBodyBytes, maxFileBytes }: Pick<RouterOptions, 'maxBodyBytes' | 'maxFileBytes'>,
) {
  if (operation.upload)
    return uploadReader({ field: operation.upload.field, maxBytes: maxFileBytes });
  if (!operation.body) return () => Promise.resolve(undefined);
  const read = jsonBodyReader(maxBodyBytes);
  const validate = validatorOf(operation.body);
  return async (request: Request, response: Response): Promise<unknown> => {
    const sent = await read(request, response);
    if (sent === undefined && !operation.bodyOptional)
      throw new Problem('body-malformed', 'The request needs a JSON body.');
    const result = validate(sent ?? {});
    if (!result.ok)
      throw new Problem('body-invalid', 'The body does not fit the contract.', {
        errors: result.errors,
      });
    return result.value;
  };
}

function send(
  request: Request,
  response: Response,
  result: { status: number; answer: unknown },
): void {
  response.status(result.status);
  if (result.status === 204) {
    response.end();
    return;
  }
  if (result.status === 201) {
    const { id } = result.answer as { id: string };
    response.setHeader('Location', `${request.baseUrl}${request.path}/${id}`);
  }
  response.json(result.answer);
}

function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function methodsByPath(): Map<string, string> {
  const methods = new Map<string, string>();
  for (const { path, method } of Object.values<Operation>(operations))
    methods.set(path, [methods.get(path), method.toUpperCase()].filter(Boolean).join(', '));
  return methods;
}
