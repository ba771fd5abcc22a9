import type { IncomingMessage } from 'node:http';
import { isSessionToken } from '@parley/session-store';
import { refuseRequest, refuseSession, type Refusal } from './refusal.js';

/** What a client asks for when it opens a session. Ids are as they were sent, and may name nothing. */
export type SessionRequest = {
  readonly kind: 'session';
  readonly agentId: string;
  readonly conversationId: string;
  readonly token: string;
};

type Headers = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

const sessionPath = /^\/api\/v1\/Agent\/([^/]+)\/realtime$/;
const webSocketKey = /^[+/0-9A-Za-z]{22}==$/;

export function isSessionPath(url: string | undefined): boolean {
  return sessionPath.test(pathOf(url));
}

/** A browser cannot read a refused handshake; it asks to have the handshake succeed and the refusal on the socket. */
export function wantsErrorsOnSocket(url: string | undefined): boolean {
  return new URLSearchParams(queryOf(url)).get('errors') === 'close';
}

/** Everything that can be said without asking a store. The token is not spent by a handshake that could never succeed. */
export function parseUpgrade(
  { method, url, headers }: Headers,
  allowedOrigins: readonly string[],
): SessionRequest | Refusal {
  const agentId = sessionPath.exec(pathOf(url))?.[1];
  if (agentId === undefined) return refuseRequest('route-not-found', 'There is no WebSocket here.');
  if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket')
    return upgradeRequired(method);
  if (headers['sec-websocket-version'] !== '13')
    return refuseRequest('request-malformed', 'Sec-WebSocket-Version must be 13.', {
      'Sec-WebSocket-Version': '13',
    });
  if (!webSocketKey.test(headers['sec-websocket-key'] ?? ''))
    return refuseRequest('request-malformed', 'Sec-WebSocket-Key is missing or malformed.');
  const { origin } = headers;
  if (origin !== undefined && allowedOrigins.length > 0 && !allowedOrigins.includes(origin))
    return refuseRequest('origin-forbidden', 'Sessions cannot be opened from this origin.');
  return parseQuery(agentId, new URLSearchParams(queryOf(url)));
}

export function upgradeRequired(method = 'GET'): Refusal {
  if (method !== 'GET')
    return refuseRequest('method-not-allowed', 'This path accepts GET.', { Allow: 'GET' });
  return refuseRequest('upgrade-required', 'Open this path with a WebSocket client.', {
    Upgrade: 'websocket',
  });
}

function parseQuery(agentId: string, query: URLSearchParams): SessionRequest | Refusal {
  const [token, ...otherTokens] = query.getAll('sessionId');
  const [conversationId = '', ...otherIds] = query.getAll('conversationId');
  if (token === undefined || otherTokens.length > 0 || !isSessionToken(token))
    return refuseSession(
      'RealtimeSessionInvalid',
      'The query must have one sessionId, as session creation returned it.',
    );
  return {
    kind: 'session',
    agentId,
    conversationId: otherIds.length > 0 ? '' : conversationId,
    token,
  };
}

function pathOf(url = ''): string {
  return url.split('?', 1)[0] ?? '';
}

function queryOf(url = ''): string {
  return url.slice(pathOf(url).length);
}
