import { openApprovalDesk } from '@parley/approvals';
import { openFileStore } from '@parley/file-store';
import type { Parts } from '@parley/parts';
import { quotaNames } from '@parley/protocol';
import {
  httpMetrics,
  quotaMetrics,
  unusable,
  type AppConfig,
  type Served,
} from '@parley/service-kit';
import {
  createChangedKeys,
  createLiveSessions,
  createRateLimit,
  createSessionTokens,
  openJobProducer,
} from '@parley/session-store';
import { openConsole } from './accounts/open-console.js';
import { createApi, type ApiOptions } from './api.js';
import type { EventLimits } from './events/event-desk.js';
import { openEvents, type Events } from './events/open-events.js';
import { countFailedRequests } from './http/count-failures.js';
import { apiMetrics } from './metrics.js';
import { openQuestions, type Questions } from './questions/open-questions.js';

export type ApiParts = Parts<AppConfig<'api'>> & {
  /** Guards the addresses that callers specify, if the tools have a separate guard. */
  readonly aimed?: ApiOptions['egress'];
  readonly eventLimits?: Partial<EventLimits>;
};

export type OpenApi = Served & { readonly questions: Questions; readonly events: Events };

/** The REST application, and the questions that it answers. */
export async function open(given: ApiParts): Promise<OpenApi> {
  const { config, logger, registry, lifecycle, database, redis, redisOptions } = given;
  const onQueueError = (err: Error) => logger.warn({ err }, 'job queue error');
  const producer = await openJobProducer(redis, onQueueError).catch(unusable('REDIS_URL'));
  lifecycle.add('job queues', () => producer.close());
  const approvals = openApprovalDesk({ database, redis, producer, registry, logger });
  const parts = { ...given, settings: config, producer, approvals };
  const questions = await openQuestions(parts).catch(unusable('REDIS_URL'));
  lifecycle.add('run hints', () => questions.close());
  const { eventLimits: limits = {} } = given;
  const events = await openEvents({ redis, redisOptions, registry, limits }).catch(
    unusable('REDIS_URL'),
  );
  lifecycle.add('events', () => events.close());
  const perKey = (name: string, perMinute: number) => createRateLimit(redis, { name, perMinute });
  const handle = createApi({
    ...parts,
    egress: given.aimed ?? given.egress,
    tokens: createSessionTokens(redis),
    liveSessions: createLiveSessions(redis),
    questions,
    trials: questions.runtime,
    events: events.desk,
    files: await openFileStore(database, config).catch(unusable('FILE_STORAGE')),
    changedKeys: createChangedKeys(redis),
    rateLimits: {
      requests: perKey('requests', config.RATE_LIMIT_PER_MINUTE),
      sessions: perKey('sessions', config.RATE_LIMIT_SESSIONS_PER_MINUTE),
    },
    ...countFailedRequests(redis, config),
    console: openConsole(redis),
    httpMetrics: httpMetrics(registry),
    metrics: apiMetrics(registry),
    quotaMetrics: quotaMetrics(registry, quotaNames),
  });
  // A worker takes over what a drain cuts off.
  lifecycle.add('questions', () => questions.settled());
  return {
    handle,
    drain() {
      questions.leave();
      events.desk.leave();
    },
    questions,
    events,
  };
}
