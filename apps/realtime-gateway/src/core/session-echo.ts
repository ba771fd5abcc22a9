import { isObject, type JsonObject } from '@parley/protocol';
import type { Frame, ReceivedFrame, SessionSettings, SessionState } from './session.js';
import { clientTools } from './session-update.js';

/**
 * session.created or session.updated as the client may see it: without the backend tools, and
 * possibly without the instructions.
 */
export function redactedEcho(event: JsonObject, state: SessionState): Frame {
  const session = isObject(event['session']) ? event['session'] : {};
  const tools = Array.isArray(session['tools']) ? (session['tools'] as unknown[]) : [];
  const clients = new Set<unknown>(clientTools(state).map((tool) => tool.name));
  const visible = tools.filter((tool) => isObject(tool) && clients.has(tool['name']));
  const hidden = state.settings.redactSessionEcho === 'all' ? { instructions: '' } : {};
  const redacted = { ...event, session: { ...session, ...hidden, tools: visible } };
  return { data: JSON.stringify(redacted), binary: false };
}

export function echoFor(
  event: JsonObject | undefined,
  frame: ReceivedFrame,
  state: SessionState,
): Frame {
  return event && state.settings.redactSessionEcho !== 'off' ? redactedEcho(event, state) : frame;
}

/** When the provider will end the session, by its own account. */
export function expiryIn(event: JsonObject): number | undefined {
  const session = event['session'];
  const expiresAt = isObject(session) ? session['expires_at'] : undefined;
  return typeof expiresAt === 'number' ? expiresAt : undefined;
}

/**
 * How long the session may last: until our limit, or the provider's if that comes first and its
 * side is not renewed. A limit in the past is ignored.
 */
export function millisecondsLeft(
  { maxSessionSeconds, providerRenewals }: SessionSettings,
  providerEndsAt: number | undefined,
  now: number,
): number {
  const limit = maxSessionSeconds * 1000;
  if (providerRenewals > 0) return limit;
  const left = providerEndsAt === undefined ? 0 : providerEndsAt * 1000 - now;
  return left > 0 ? Math.min(limit, left) : limit;
}
