import type { IncomingMessage } from 'node:http';
import { isSessionToken } from '@parley/session-store';
import { keyProtocol } from '../relay/client-socket.js';
import { refuseRequest, refuseSession, type Refusal } from './refusal.js';

/**
 * What a client requests when it opens a session. Ids are as sent and may not exist; undefined
 * means whatever the token stands for.
 */
export type SessionRequest = {
  readonly kind: 'session';
  readonly agentId: string | undefined;
  readonly conversationId: string | undefined;
  readonly token: string;
};

/** A client that lost its connection, and continues its session on another one. */
export type ResumeRequest = {
  readonly kind: 'resume';
  readonly agentId: string;
  readonly conversationId: string;
  readonly token: string;
  readonly received: number;
};

/** What an OpenAI client requests: the key is an API key, or a token with its prefix. */
export type DoorRequest = {
  readonly kind: 'door';
  readonly key: string;
  /** Undefined means the key's own organization. */
  readonly organization: string | undefined;
  readonly model: string | undefined;
  readonly traceparent: string | undefined;
};

type Headers = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

export type UpgradeRules = {
  readonly allowedOrigins: readonly string[];
  /** Whether OpenAI clients are admitted. */
  readonly door: boolean;
};

const doorPath = '/v1/realtime';
const sessionPath = /^\/api\/v1\/Agent\/([^/]+)\/realtime$/;
const webSocketKey = /^[+/0-9A-Za-z]{22}==$/;
const protocolName = /^[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*$/;

export function isSessionPath(url: string | undefined): boolean {
  return sessionPath.test(pathOf(url));
}

export function isDoorPath(url: string | undefined): boolean {
  return pathOf(url) === doorPath;
}

/** Whether a path is the gateway's, and not the api's. */
export function isRealtimePath(url: string | undefined): boolean {
  return isSessionPath(url) || isDoorPath(url);
}

/**
 * A browser cannot read a refused handshake. It asks for a successful handshake and an error on the
 * socket.
 */
export function wantsErrorsOnSocket(url: string | undefined): boolean {
  return new URLSearchParams(queryOf(url)).get('errors') === 'close';
}

/**
 * Every check that needs no store. A handshake that could never succeed does not spend the token:
 * nothing may pass here that ws refuses, which it would only do after admission.
 */
export function parseUpgrade(
  { method, url, headers }: Headers,
  { allowedOrigins, door }: UpgradeRules,
): SessionRequest | ResumeRequest | DoorRequest | Refusal {
  const agentId = sessionPath.exec(pathOf(url))?.[1];
  if (agentId === undefined && !(door && isDoorPath(url))) return noWebSocket();
  if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket')
    return upgradeRequired(method);
  if (headers['sec-websocket-version'] !== '13')
    return refuseRequest('request-malformed', 'Sec-WebSocket-Version must be 13.', {
      'Sec-WebSocket-Version': '13',
    });
  if (!webSocketKey.test(headers['sec-websocket-key'] ?? ''))
    return refuseRequest('request-malformed', 'Sec-WebSocket-Key is missing or malformed.');
  const protocols = offeredProtocols(headers);
  if (!protocols)
    return refuseRequest(
      'request-malformed',
      'Sec-WebSocket-Protocol must be a list of different names, or absent.',
    );
  const { origin } = headers;
  if (origin !== undefined && allowedOrigins.length > 0 && !allowedOrigins.includes(origin))
    return refuseRequest('origin-forbidden', 'Sessions cannot be opened from this origin.');
  const query = new URLSearchParams(queryOf(url));
  return agentId === undefined
    ? parseDoor({ headers, protocols, query })
    : parseQuery(agentId, query);
}

/** Undefined if ws would refuse the list. */
function offeredProtocols(headers: IncomingMessage['headers']): readonly string[] | undefined {
  const offered = headers['sec-websocket-protocol'];
  if (offered === undefined) return [];
  const names = offered.split(',').map((text) => protocolName.exec(text)?.[1]);
  const distinct = new Set(names.filter((name) => name !== undefined));
  return distinct.size === names.length ? [...distinct] : undefined;
}

export function noWebSocket(): Refusal {
  return refuseRequest('route-not-found', 'There is no WebSocket here.');
}

export function upgradeRequired(method = 'GET'): Refusal {
  if (method !== 'GET')
    return refuseRequest('method-not-allowed', 'This path accepts GET.', { Allow: 'GET' });
  return refuseRequest('upgrade-required', 'Open this path with a WebSocket client.', {
    Upgrade: 'websocket',
  });
}

function parseQuery(
  agentId: string,
  query: URLSearchParams,
): SessionRequest | ResumeRequest | Refusal {
  if (query.has('resume')) return parseResume(agentId, query);
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

/** At most 15 digits, so that the number is exact. */
const count = /^(?:0|[1-9]\d{0,14})$/;

function parseResume(agentId: string, query: URLSearchParams): ResumeRequest | Refusal {
  const only = (name: string) => (query.getAll(name).length === 1 ? query.get(name) : null);
  const [token, conversationId, received] = ['resume', 'conversationId', 'received'].map(only);
  if (!token || !isSessionToken(token) || query.has('sessionId'))
    return refuseSession(
      'RealtimeSessionInvalid',
      'The query must have one resume, as session.resumable contained it, and no sessionId.',
    );
  if (!received || !count.test(received))
    return refuseSession(
      'RealtimeSessionInvalid',
      'The query must have one received: how many messages the client has received.',
    );
  const ids = { agentId, conversationId: conversationId ?? '' };
  return { kind: 'resume', ...ids, token, received: Number(received) };
}

type DoorParts = {
  readonly headers: IncomingMessage['headers'];
  readonly protocols: readonly string[];
  readonly query: URLSearchParams;
};

/** Servers send the key as a bearer token. Browsers cannot, so they send it as a subprotocol. */
function parseDoor({ headers, protocols, query }: DoorParts) {
  const offered = protocols.find((text) => text.startsWith(keyProtocol));
  const key = bearer.exec(headers.authorization ?? '')?.[1] ?? offered?.slice(keyProtocol.length);
  if (key === undefined || key === '')
    return refuseRequest('key-missing', 'Send your API key as Authorization: Bearer KEY.');
  const { 'openai-organization': organization, traceparent } = headers;
  return {
    kind: 'door',
    key,
    organization: String(organization ?? '').toLowerCase() || undefined,
    model: query.get('model') ?? undefined,
    traceparent: typeof traceparent === 'string' ? traceparent : undefined,
  } as const;
}

const bearer = /^Bearer +(\S+) *$/i;

function pathOf(url = ''): string {
  return url.split('?', 1)[0] ?? '';
}

function queryOf(url = ''): string {
  return url.slice(pathOf(url).length);
}
