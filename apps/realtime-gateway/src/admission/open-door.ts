import type { Database } from '@parley/database';
import {
  findModel,
  findUsableKey,
  issueSession,
  keyHash,
  quotaGuard,
  requireOrganization,
  type IssuePorts,
} from '@parley/issuing';
import {
  Problem,
  quotaDefaults,
  RealtimeError,
  type QuotaName,
  type QuotaSettings,
} from '@parley/protocol';
import type { ConfigOf, Logger, QuotaMetrics } from '@parley/service-kit';
import {
  createRateLimit,
  createSessionTokens,
  isSessionToken,
  redisUnavailable,
  tokenInKey,
  type RateLimit,
  type RateVerdict,
  type Redis,
} from '@parley/session-store';
import { refuseSession, unavailable, type Refusal } from './refusal.js';
import type { DoorRequest, SessionRequest } from './upgrade-request.js';

/** Admits OpenAI clients: to an existing session, or to one issued to their key. */
export type Door = { session(asked: DoorRequest): Promise<SessionRequest | Refusal> };

export type DoorOptions = Omit<IssuePorts, 'quotas' | 'settings'> & {
  readonly database: Database;
  readonly rateLimits: { readonly requests: RateLimit; readonly sessions: RateLimit };
  readonly quotaMetrics: QuotaMetrics<QuotaName>;
  readonly settings: IssuePorts['settings'] & QuotaSettings;
  readonly logger: Logger;
};

type Limits = Pick<
  ConfigOf<'realtime-gateway'>,
  'RATE_LIMIT_PER_MINUTE' | 'RATE_LIMIT_SESSIONS_PER_MINUTE'
>;

/** The door's state in Redis. A key has one budget, wherever its sessions are issued. */
export function doorStores(
  redis: Redis,
  { RATE_LIMIT_PER_MINUTE, RATE_LIMIT_SESSIONS_PER_MINUTE }: Limits,
): Pick<DoorOptions, 'tokens' | 'rateLimits'> {
  const perKey = (name: string, perMinute: number) => createRateLimit(redis, { name, perMinute });
  return {
    tokens: createSessionTokens(redis),
    rateLimits: {
      requests: perKey('requests', RATE_LIMIT_PER_MINUTE),
      sessions: perKey('sessions', RATE_LIMIT_SESSIONS_PER_MINUTE),
    },
  };
}

export function openDoor(options: DoorOptions): Door {
  const { settings, logger } = options;
  const defaults = quotaDefaults(settings);
  const quotas = quotaGuard({ defaults, metrics: options.quotaMetrics });
  const ports = { ...options, quotas };
  return {
    async session(asked) {
      const token = tokenInKey(asked.key);
      if (token !== undefined) return withToken(asked, token, settings.REALTIME_MODEL);
      try {
        return await issueTo(asked, ports);
      } catch (error) {
        if (error instanceof RealtimeError) return refuseSession(error.errorCode, error.message);
        if (error instanceof Problem) return { kind: 'refused', reason: error.code, error };
        logger.error({ err: error }, 'issuing session failed');
        return unavailable('store-unavailable');
      }
    },
  };
}

/**
 * Some clients always name a model. The token already stands for an agent, so the name of a
 * provider's model is ignored.
 */
function withToken(
  { model }: DoorRequest,
  token: string,
  realtimeModel: string,
): SessionRequest | Refusal {
  if (!isSessionToken(token))
    return refuseSession('RealtimeSessionInvalid', 'The ephemeral key is not one of ours.');
  const agentId = model === realtimeModel ? undefined : model;
  return { kind: 'session', agentId, conversationId: undefined, token };
}

/**
 * The same checks as in the api: key, organization, scope, rate, then everything that issuing
 * checks.
 */
async function issueTo(
  { key, organization, model, traceparent }: DoorRequest,
  ports: IssuePorts & Pick<DoorOptions, 'database' | 'rateLimits' | 'logger'>,
): Promise<SessionRequest> {
  const { database, rateLimits, logger } = ports;
  const { caller } = await findUsableKey(database, keyHash(key));
  requireOrganization(caller, organization);
  if (!caller.scopes.includes('realtime'))
    throw new RealtimeError('RealtimeNotEnabled', 'The API key lacks the scope realtime.');
  const { requests, sessions } = rateLimits;
  for (const verdict of await requests.consumeWith(sessions, caller.id)) requireRate(verdict);
  const { organizationId, id: keyId } = caller;
  return database.inOrganization(organizationId, async (scope) => {
    const agent = await findModel(scope, model ?? '');
    const work = { scope, caller, ports, agent, traceparent };
    const { conversationId, sessionId: token } = await issueSession(work, {});
    logger.info({ organizationId, agentId: agent.id, conversationId, keyId }, 'session issued');
    return { kind: 'session', agentId: agent.id, conversationId, token };
  });
}

function requireRate(verdict: RateVerdict): void {
  if (verdict.kind === 'unknown') throw redisUnavailable();
  if (verdict.kind === 'allowed') return;
  const { limit: most, retryAfterSeconds: seconds } = verdict;
  const detail = `The key may send ${most} of these requests per minute. Wait ${seconds} s.`;
  throw new Problem('rate-limited', detail, { headers: { 'Retry-After': String(seconds) } });
}
