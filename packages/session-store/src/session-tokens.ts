import { hash, randomBytes } from 'node:crypto';
import type { AudioFormat, ClientTool, OutputModalities, TurnDetection } from '@parley/protocol';
import { liveKeys, tokenKeys } from './keys.js';
import { createLiveSessions, goneAfterMs, type LiveSession } from './live-sessions.js';
import { defineScript } from './lua-script.js';
import { isOneNode, type Redis } from './topology.js';

/** What a token stands for: everything decided when the session was created. */
export type SessionTicket = {
  readonly organizationId: string;
  readonly agentId: string;
  readonly conversationId: string;
  /** The API key or the member of the organization that created the session. */
  readonly keyId: string | null;
  readonly memberId?: string | null;
  readonly voice: string;
  readonly inputAudioFormat: AudioFormat;
  readonly outputAudioFormat: AudioFormat;
  /** Like the next field, absent in tickets of earlier versions. */
  readonly turnDetection?: TurnDetection;
  readonly outputModalities?: OutputModalities;
  readonly additionalInstructions: string | null;
  readonly clientTools: readonly ClientTool[];
  /** Files whose text the agent receives. */
  readonly fileIds: readonly string[];
  /** Whether the session outlives its connection; absent if it does not. */
  readonly resumable?: boolean;
  /** The context of the request that created the session, if it was traced. */
  readonly traceparent?: string | undefined;
};

export type TokenOutcome =
  | {
      readonly outcome: 'redeemed';
      readonly ticket: SessionTicket;
      /**
       * How many sessions of the organization are registered, including this one and perhaps some
       * whose pod is gone. Undefined if the session is not registered yet.
       */
      readonly registered?: number;
    }
  | { readonly outcome: 'consumed' | 'expired' | 'unknown' };

/** Where and since when a session is live. */
export type SessionPlace = Pick<LiveSession, 'pod' | 'startedAt' | 'address'>;

export type IssuedToken = { readonly token: string; readonly expiresAt: Date };

export type SessionTokens = {
  issue(ticket: SessionTicket, ttlSeconds: number): Promise<IssuedToken>;
  /** Undefined if the organization already has `mostLive` live sessions. */
  issueWithin(
    mostLive: number,
    ticket: SessionTicket,
    ttlSeconds: number,
  ): Promise<IssuedToken | undefined>;
  /**
   * Of all attempts with a token, only one redeems it. Repeating an attempt repeats its result. With
   * a place, the same call also registers the session, whose id is the attempt's, as live; not in a
   * cluster, where the two are on different nodes.
   */
  consume(tokenHash: Buffer, attemptId: string, place?: SessionPlace): Promise<TokenOutcome>;
};

const minute = 60_000;
const hour = 60 * minute;
const keptAfterExpiryMs = hour;
const tombstoneMs = 24 * hour;
const receiptMs = minute;

const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

/** Whether a text has the format of a token: 256 bits in base64url. */
export function isSessionToken(text: string): boolean {
  return tokenPattern.test(text);
}

const ephemeralPrefix = 'ek_';

/** A token in the format of OpenAI clients, which distinguish it from a key by its prefix. */
export function ephemeralKey(token: string): string {
  return ephemeralPrefix + token;
}

/** The token in an ephemeral key; undefined if the text is not one. */
export function tokenInKey(key: string): string | undefined {
  return key.startsWith(ephemeralPrefix) ? key.slice(ephemeralPrefix.length) : undefined;
}

/**
 * Redis and PostgreSQL only store this hash of a token, so that neither a dump nor a log of theirs
 * opens a session.
 */
export function hashSessionToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

function newToken(ticket: SessionTicket, ttlSeconds: number) {
  const token = randomBytes(32).toString('base64url');
  const { ticket: key } = tokenKeys(hashSessionToken(token).toString('hex'));
  const args = [JSON.stringify(ticket), ttlSeconds * 1000, keptAfterExpiryMs];
  return { token, keys: [key], args };
}

export function createSessionTokens(redis: Redis): SessionTokens {
  const liveSessions = createLiveSessions(redis);
  const issueToken = defineScript(redis, 'issue-token');
  const consumeToken = defineScript(redis, 'consume-token');
  return {
    async issue(ticket, ttlSeconds) {
      const { token, keys, args } = newToken(ticket, ttlSeconds);
      const deadline = (await issueToken(keys, args)) as number;
      return { token, expiresAt: new Date(deadline) };
    },
    async issueWithin(mostLive, ticket, ttlSeconds) {
      const { organizationId } = ticket;
      if (!isOneNode(redis)) {
        const live = await liveSessions.count(organizationId, mostLive - 1);
        if (live >= mostLive) return undefined;
        return this.issue(ticket, ttlSeconds);
      }
      const { token, keys, args } = newToken(ticket, ttlSeconds);
      const live = [liveKeys.beats, liveKeys.ofOrganization(organizationId)];
      const deadline = await issueToken([...keys, ...live], [...args, goneAfterMs, mostLive]);
      return deadline === null ? undefined : { token, expiresAt: new Date(deadline as number) };
    },
    async consume(tokenHash, attemptId, place) {
      const keys = tokenKeys(tokenHash.toString('hex'));
      const { pod, startedAt, address } = (isOneNode(redis) ? place : undefined) ?? {};
      const live = pod === undefined ? [] : [liveKeys.beats, liveKeys.sessions];
      const reply = (await consumeToken(
        [keys.ticket, keys.tombstone, keys.receipt, ...live],
        [
          attemptId,
          tombstoneMs,
          receiptMs,
          liveKeys.ofOrganization(''),
          pod ?? '',
          startedAt ?? '',
          address ?? '',
        ],
      )) as ['redeemed', string, number?] | ['consumed' | 'expired' | 'unknown'];
      if (reply[0] !== 'redeemed') return { outcome: reply[0] };
      const [outcome, text, registered] = reply;
      // Tickets from instances that predate files have none.
      const kept = JSON.parse(text) as SessionTicket | Omit<SessionTicket, 'fileIds'>;
      const ticket = { fileIds: [], ...kept };
      return { outcome, ticket, ...(registered !== undefined && { registered }) };
    },
  };
}
