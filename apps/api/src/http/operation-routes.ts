import type { Request, Response } from 'express';
import type { Database, SecretBox } from '@parley/database';
import {
  hasBadCharacter,
  ownProperty,
  pathParameters,
  Problem,
  takesIdempotencyKey,
  validatorOf,
  type Operation,
  type OrganizationOperation,
  type OrganizationOperationId as OperationId,
} from '@parley/protocol';
import type { RateLimits } from '../metrics.js';
import { admitCaller } from './admit-caller.js';
import type { Authenticate } from './authenticate.js';
import type { AnyHandler, Call, Standing, Target } from './call.js';
import { closed } from './closed.js';
import { currentCaller, type CurrentCaller } from './current-caller.js';
import { deprecationHeaders } from './deprecation.js';
import { preconditions } from './etag.js';
import type { Exchange } from './exchange.js';
import { notFound } from './found.js';
import { requireRealtimeScope } from './require-scope.js';
import { createOnce, idempotencyKeyOf, type Commit } from './idempotency.js';
import { jsonBodyReader, noBody, sha256, type ReadBody } from './json-body.js';
import { queryReader } from './query.js';
import type { Route } from './routes.js';
import { send } from './send.js';
import { throttlesFor } from './throttle.js';
import { uploadReader } from './upload-body.js';

export type RouterOptions = {
  operations: Readonly<Record<string, OrganizationOperation>>;
  /** One for each operation. */
  handlers: Readonly<Record<string, AnyHandler>>;
  authenticate: Authenticate;
  database: Database;
  secretBox: SecretBox;
  rateLimits: RateLimits;
  maxBodyBytes: number;
  maxFileBytes: number;
};

/**
 * Binds every operation of the contract to its handler. The checks run in the order of the lines in
 * `checker`.
 */
export function operationRoutes(options: RouterOptions): Route[] {
  return Object.entries(options.operations).map(([id, operation]) => {
    const { method, path } = operation;
    const perform = performer(operation, ownProperty(options.handlers, id), options);
    const deprecation = deprecationHeaders(operation);
    const handle = (request: Request, response: Response) => {
      if (deprecation) response.set(deprecation);
      return perform(request, response);
    };
    return { method, path, handle };
  });
}

function performer(
  operation: OrganizationOperation,
  handler: AnyHandler | undefined,
  options: RouterOptions,
) {
  if (!handler) throw new TypeError(`${operation.method} ${operation.path} has no handler.`);
  const check = checker(operation, handler, options);
  const once = createOnce(options);
  return async (request: Request, response: Response): Promise<void> => {
    const { call, key, digest, lateDigest } = await check(request, response);
    const { organizationId, id: callerId } = call.caller;
    const run = (commit: Commit) => handler.run({ ...call, commit });
    if (key === undefined) {
      const answer = await run((work) => options.database.inOrganization(organizationId, work));
      return send({ request, response }, operation, answer);
    }
    // Another key or member of the organization does not get a response that was meant for this
    // one.
    const route = `${callerId} ${request.method} ${request.originalUrl}\n`;
    const fingerprint = sha256(Buffer.concat([Buffer.from(route), digest()]));
    const asked = { organizationId, key, fingerprint, lateDigest };
    const { answer, replayed } = await once(asked, run);
    if (replayed) response.setHeader('Idempotent-Replayed', 'true');
    const recalled = replayed && handler.recall ? handler.recall(call, answer as never) : answer;
    await send({ request, response }, operation, await recalled);
  };
}

type Checked = {
  call: Omit<Call<OperationId>, 'commit'>;
  key: string | undefined;
  digest: ReadBody['digest'];
  lateDigest: ReadBody['lateDigest'];
};

/** All checks before the handler runs. */
function checker(operation: OrganizationOperation, handler: AnyHandler, options: RouterOptions) {
  const throttles = throttlesFor(options.rateLimits, operation.rateLimit !== undefined);
  const admission = { authenticate: options.authenticate, throttles };
  const readParams = paramsReader(operation);
  const readQuery = queryReader(operation.query);
  const readBody = requestReader(operation, options);
  return async (request: Request, response: Response): Promise<Checked> => {
    const admitted = await admitCaller({ request, response }, operation, admission);
    const again = () => options.authenticate(request, operation);
    const current = currentCaller(admitted, again);
    const params = readParams(request);
    const query = readQuery(request.url);
    const admits = preconditions(operation.ifMatch ? request.headers : {});
    const key = takesIdempotencyKey(operation) ? idempotencyKeyOf(request) : undefined;
    const target = { caller: admitted, params } as Target<OperationId>;
    const seen = handler.visible ? await handler.visible(target) : true;
    if (seen === false || seen === undefined) throw notFound();
    const { value: body, digest, lateDigest } = await readBody({ request, response }, current);
    const caller = await current();
    requireRealtimeScope(caller, operation);
    const events = operation.success.orEvents === true && prefersEvents(request);
    const traceparent = response.locals['traceparent'] as string | undefined;
    const standing = operation.resumable && standingOf({ request, response }, again);
    const asked = { caller, params, seen, query, body, events, admits, standing, traceparent };
    const call = asked as Checked['call'];
    return { call, key, digest, lateDigest };
  };
}

function standingOf({ request, response }: Exchange, again: Standing['again']): Standing {
  const gone = request.method === 'HEAD' ? AbortSignal.abort() : closed(response);
  return { lastEventId: request.get('last-event-id'), again, gone };
}

/** Parses the path parameters: UUIDs in one spelling, or as the operation's row says. */
function paramsReader(operation: Operation) {
  const readers = pathParameters(operation).map(({ name, schema }) => ({
    name,
    isId: ownProperty(operation.params, name) === undefined,
    validate: validatorOf(schema),
  }));
  return (request: Request): Record<string, string> => {
    const read: Record<string, string> = {};
    for (const { name, isId, validate } of readers) {
      const text = ownProperty(request.params, name);
      if (typeof text !== 'string' || hasBadCharacter(text) || !validate(text).ok)
        throw new Problem(
          'id-malformed',
          `The ${name} in the path must be ${isId ? 'a UUID' : 'a value that the contract allows'}.`,
        );
      read[name] = isId ? text.toLowerCase() : text;
    }
    return read;
  };
}

function requestReader(
  operation: Operation,
  { maxBodyBytes, maxFileBytes }: Pick<RouterOptions, 'maxBodyBytes' | 'maxFileBytes'>,
): (exchange: Exchange, current: CurrentCaller) => Promise<ReadBody> {
  if (operation.upload)
    return uploadReader({ field: operation.upload.field, maxBytes: maxFileBytes });
  const read = bodyReader(operation, maxBodyBytes);
  return ({ request, response }) => read(request, response);
}

export function bodyReader(operation: Operation, maxBodyBytes: number) {
  if (!operation.body) return () => Promise.resolve(noBody);
  const read = jsonBodyReader(maxBodyBytes);
  const validate = validatorOf(operation.body);
  return async (request: Request, response: Response): Promise<ReadBody> => {
    const { value: sent, digest } = await read(request, response);
    if (sent === undefined && !operation.bodyOptional)
      throw new Problem('body-malformed', 'The request needs a JSON body.');
    const result = validate(sent === undefined ? {} : sent);
    if (!result.ok)
      throw new Problem('body-invalid', 'The body does not match the contract.', {
        errors: result.errors,
      });
    return { value: result.value, digest };
  };
}

/** A request without any media type gets JSON. */
function prefersEvents(request: Request): boolean {
  return request.accepts(['application/json', 'text/event-stream']) === 'text/event-stream';
}
