import { boundedBody, EgressRefused, EgressTimeout, type Egress } from '@parley/egress';
import { strictRedactor } from '@parley/protocol';
import type { ProviderConnection } from './default-connection.js';
import { dialRealtime } from './dial-realtime.js';
import { providerBase } from './provider-base.js';
import { realtimeEndpoint } from './realtime-endpoint.js';
import { connectFailure, ownWords } from './refusal-reason.js';

/** Whether a provider accepts a connection, in its own words if it has any. */
export type ConnectionCheck = { readonly ok: boolean; readonly detail: string };

export type CheckOptions = {
  /** The realtime model to open a session with; null lists the provider's models instead. */
  readonly realtimeModel: string | null;
  /** Guards a connection whose target a tenant chooses. */
  readonly egress: Pick<Egress, 'check' | 'lookup' | 'fetch'> | undefined;
  readonly timeoutMs: number;
};

const maxListBytes = 1024 * 1024;
const maxDetailLength = 1000;

/**
 * Dials a provider as cheaply as possible: it leaves the session before anything is said. Never
 * throws for failures of others.
 */
export async function checkConnection(
  connection: ProviderConnection,
  options: CheckOptions,
): Promise<ConnectionCheck> {
  const { realtimeModel } = options;
  const { ok, detail } = await (realtimeModel === null
    ? listModels(connection, options)
    : openSession(connection, { ...options, realtimeModel }));
  return { ok, detail: withoutSecret(detail, connection.secret).slice(0, maxDetailLength) };
}

function withoutSecret(text: string, secret: string | null): string {
  return secret === null ? text : strictRedactor([secret])(text);
}

const noAddress: ConnectionCheck = { ok: false, detail: 'The connection has no base URL.' };
const failed = (detail: string): ConnectionCheck => ({ ok: false, detail });
const late = (timeoutMs: number) => `no response within ${timeoutMs / 1000} s`;

async function listModels(
  connection: ProviderConnection,
  { egress, timeoutMs }: CheckOptions,
): Promise<ConnectionCheck> {
  const base = providerBase(connection);
  if (!base) return noAddress;
  const url = new URL(base.url);
  url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}/models`;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await (egress?.fetch ?? fetch)(url, { headers: base.headers, signal });
    const { body } = await boundedBody(response, maxListBytes);
    return response.ok ? listed(body.toString()) : failed(refusal(response.status, body));
  } catch (error) {
    return failed(failureOf(error, timeoutMs));
  }
}

function refusal(status: number, body: Buffer): string {
  const words = ownWords(body.toString());
  return `HTTP ${status}${words && `: ${words}`}`;
}

function listed(text: string): ConnectionCheck {
  try {
    const { data } = JSON.parse(text) as { data?: unknown };
    if (Array.isArray(data))
      return { ok: true, detail: `The provider lists ${data.length} models.` };
  } catch {
    // Reported below.
  }
  return failed('The response is not a list of models. Check the baseUrl.');
}

function failureOf(error: unknown, timeoutMs: number): string {
  if (error instanceof EgressRefused) return error.message;
  if (error instanceof EgressTimeout || (error instanceof Error && error.name === 'TimeoutError'))
    return late(timeoutMs);
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? connectFailure(cause) : 'no connection';
}

async function openSession(
  connection: ProviderConnection,
  { egress, timeoutMs, realtimeModel: model }: CheckOptions & { realtimeModel: string },
): Promise<ConnectionCheck> {
  const endpoint = realtimeEndpoint({ ...connection, model });
  if (!endpoint) return noAddress;
  let lookup;
  try {
    lookup = egress?.lookup(egress.check(endpoint.url));
  } catch (error) {
    return failed(failureOf(error, timeoutMs));
  }
  return new Promise((resolve) => {
    const settle = (check: ConnectionCheck) => {
      clearTimeout(timer);
      socket.terminate();
      resolve(check);
    };
    const socket = dialRealtime(endpoint, (reason) => settle(failed(reason)), lookup);
    const timer = setTimeout(() => settle(failed(late(timeoutMs))), timeoutMs);
    socket.once('message', (data: Buffer) => settle(firstEvent(data.toString(), model)));
    socket.once('close', (code, reason) =>
      settle(failed(`closed with ${code}${reason.length > 0 ? `: ${reason.toString()}` : ''}`)),
    );
  });
}

function firstEvent(text: string, model: string): ConnectionCheck {
  const opened = { ok: true, detail: `A realtime session with ${model} was opened.` };
  try {
    const { type } = JSON.parse(text) as { type?: unknown };
    if (type === 'session.created') return opened;
  } catch {
    // Reported below.
  }
  return failed(ownWords(text) || 'The provider did not start with session.created.');
}
