import { headerValue, maxRetries, timeoutMs, wrongArgument } from './argument-checks.js';
import type { CallOptions, ChangeOptions, ListenOptions, PostOptions } from './call-options.js';
import { newIdempotencyKey } from './idempotency-key.js';
import type { Gives, Method } from './method.js';
import type { ApiRequest, Limits } from './transport.js';
import { formWith } from './upload.js';

/** Keyed by the client's parameter names. */
export type Query = Readonly<Record<string, string | number | null | undefined>>;

/** A call of a method, with its arguments separated. */
export type Call = {
  readonly method: Method;
  readonly path: string;
  readonly query: Query;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ApiRequest['body'];
  readonly limits: Limits;
};

/** `name` is the method's name, for messages; `defaults` are the client's. */
export function prepareCall(
  { name, method, defaults }: { name: string; method: Method; defaults: CallOptions },
  args: readonly unknown[],
): Call {
  const ids = [...method.path.matchAll(/\{(\w+)\}/g)].map(([, id = '']) => id);
  const taken = ids.length + (method.takes === 'nothing' ? 0 : 1);
  const input = args[ids.length];
  const options = objectOrNothing(name, 'options', args[taken]) as AnyOptions;
  const isForm = method.takes === 'file';
  const isJson = method.takes === 'body' && input !== undefined;
  return {
    method,
    path: ids.reduce(
      (path, id, at) => path.replace(`{${id}}`, () => segment(`${name}: ${id}`, args[at])),
      method.path,
    ),
    query: method.takes === 'query' ? { ...objectOrNothing(name, 'query', input) } : {},
    headers: {
      accept: accepted[method.gives] ?? 'application/json',
      ...(isJson && { 'content-type': 'application/json' }),
      ...conditions(method, options),
    },
    body: isForm ? formWith(input) : isJson ? JSON.stringify(input) : undefined,
    limits: limitsOf(method.gives, options, defaults),
  };
}

/** Spells query parameters as the contract does: `AgentId` for `agentId`. */
export function requestFor(call: Call, more: Query = {}): ApiRequest {
  const { method, path, headers, body, limits } = call;
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...call.query, ...more }))
    if (value !== undefined && value !== null)
      search.set(name.charAt(0).toUpperCase() + name.slice(1), String(value));
  const text = search.toString();
  return { verb: method.verb, path: text === '' ? path : `${path}?${text}`, headers, body, limits };
}

const accepted: Partial<Record<Gives, string>> = {
  events: 'text/event-stream',
  happenings: 'text/event-stream',
  records: 'application/x-ndjson',
  text: 'text/csv',
  download: '*/*',
};

const defaultTimeoutMs = 60_000;
/** By default, the service waits up to 120 seconds for an answer. */
const answerTimeoutMs = 150_000;
const defaultMaxRetries = 2;

function limitsOf(gives: Gives, options: CallOptions, defaults: CallOptions): Limits {
  const usual = gives === 'answer' ? answerTimeoutMs : defaultTimeoutMs;
  return {
    timeoutMs: timeoutMs(options.timeoutMs ?? defaults.timeoutMs ?? usual),
    maxRetries: maxRetries(options.maxRetries ?? defaults.maxRetries ?? defaultMaxRetries),
    signals: [options.signal, defaults.signal].filter((signal) => signal !== undefined),
  };
}

type AnyOptions = PostOptions & ChangeOptions & ListenOptions;

/**
 * Headers that keep a request from being executed twice or from changing a newer version, and that
 * resume a stream.
 */
function conditions(
  { verb }: Method,
  { idempotencyKey, ifMatch, lastEventId }: AnyOptions,
): Record<string, string> {
  return {
    ...(verb === 'POST' && {
      'idempotency-key': headerValue('idempotencyKey', idempotencyKey ?? newIdempotencyKey()),
    }),
    ...(lastEventId !== undefined && {
      'last-event-id': headerValue('lastEventId', lastEventId),
    }),
    ...(ifMatch !== undefined && { 'if-match': headerValue('ifMatch', ifMatch) }),
  };
}

/** An id that is empty or made of dots would address another operation. */
function segment(name: string, value: unknown): string {
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
    throw wrongArgument(`${name} must be an id: a non-empty string other than "." and "..".`);
  return encodeURIComponent(value);
}

function objectOrNothing(method: string, name: string, value: unknown): object {
  if (value === undefined) return {};
  if (typeof value === 'object' && value !== null) return value;
  throw wrongArgument(`${method}: ${name} must be an object.`);
}
