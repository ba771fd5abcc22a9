import './favour-memory.js';
import { setTimeout as delay } from 'node:timers/promises';
import { approvalMetrics, createApprovalDesk } from '@parley/approvals';
import { bootstrapOrganization, createSecretBox, type Database } from '@parley/database';
import { createEgress } from '@parley/egress';
import { openFileStore } from '@parley/file-store';
import { Problem, quotaNames, wholeAnswer } from '@parley/protocol';
import { defaultConnection } from '@parley/providers';
import {
  createLifecycle,
  createLogger,
  createMetrics,
  createPublicServer,
  createReadiness,
  eventMetrics,
  fromSetting,
  httpMetrics,
  listen,
  openTracing,
  quotaMetrics,
  reportStartupFailure,
  requireConfig,
  startInternalServer,
  unusable,
  type ConfigOf,
  type Lifecycle,
  type Logger,
  type Metrics,
  type Tracing,
} from '@parley/service-kit';
import {
  createEventLog,
  createEventPublisher,
  createJobProducer,
  createLiveSessions,
  createRateLimit,
  createSessionTokens,
  redisOptions,
  type Redis,
} from '@parley/session-store';
import { openConsole } from './accounts/open-console.js';
import { createApi } from './api.js';
import { announceClose, closeServer } from './close-server.js';
import { openEvents } from './events/open-events.js';
import { countFailedRequests } from './http/count-failures.js';
import { apiMetrics } from './metrics.js';
import { openStores } from './open-stores.js';
import { openQuestions } from './questions/open-questions.js';

/** For a whole request to arrive, a file on a slow line included. Headers have a minute, and so have other bodies. */
const uploadMs = 300_000;

async function main(): Promise<void> {
  const { config, warnings } = requireConfig('api', process.env);
  const logger = createLogger({ app: 'api', level: config.LOG_LEVEL });
  for (const warning of warnings) logger.warn({ warning }, 'unknown setting');
  const { registry } = createMetrics({ app: 'api' });
  const readiness = createReadiness();
  const { DRAIN_LAG_SECONDS: lag, DRAIN_TIMEOUT_SECONDS: drain } = config;
  const lifecycle = createLifecycle({ logger, timeoutMs: (lag + drain) * 1000 });
  lifecycle.onSignals(process, (code) => process.exit(code));
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = config;
  const tracing = await openTracing({ app: 'api', endpoint, lifecycle });

  const { database, redis } = await openStores({ config, logger, lifecycle, registry });
  if (config.BOOTSTRAP_ORG_ID !== undefined) {
    const { BOOTSTRAP_ORG_ID: organizationId, BOOTSTRAP_API_KEY: apiKey } = config;
    const { BOOTSTRAP_ADMIN_EMAIL: email, BOOTSTRAP_ADMIN_PASSWORD: password } = config;
    const owner = email === undefined ? undefined : { email, password };
    const named = { organizationName: 'Bootstrap', keyName: 'bootstrap' };
    const wanted = { organizationId, apiKey, owner, ...named };
    if (!(await bootstrapOrganization(database, wanted)))
      logger.warn({ organizationId }, 'organization in BOOTSTRAP_ORG_ID was deleted');
  }

  const { app, questions, events } = await openApi({
    config,
    logger,
    lifecycle,
    registry,
    database,
    redis,
    tracing,
  });
  const { HOST: host, INTERNAL_PORT } = config;
  const internal = await startInternalServer({ host, port: INTERNAL_PORT, registry, readiness });
  lifecycle.add('internal server', () => internal.close());
  // Longer than a load balancer keeps its side open, so that it never writes into a connection that we just closed.
  const server = createPublicServer({
    server: { keepAliveTimeout: 70_000, requestTimeout: uploadMs },
    handle: app,
    answerFor: (refusal, detail) => wholeAnswer(new Problem(refusal, detail)),
    logger,
  });
  const port = await listen(server, { host, port: config.PORT, setting: 'PORT' });
  // What a drain cuts off, a worker takes over.
  lifecycle.add('questions', () => questions.settled());
  lifecycle.add('server', () => closeServer(server));
  lifecycle.add('streams', () => {
    questions.leave();
    events.desk.leave();
  });
  lifecycle.add('readiness', async () => {
    readiness.draining();
    announceClose(server);
    await delay(lag * 1000);
  });
  readiness.started();
  logger.info({ port, internalPort: internal.port }, 'ready');
}

type Wiring = {
  config: ConfigOf<'api'>;
  logger: Logger;
  lifecycle: Lifecycle;
  registry: Metrics['registry'];
  database: Database;
  redis: Redis;
  tracing: Tracing;
};

/** The REST application and the questions that it answers, on open stores. */
async function openApi({ config, logger, lifecycle, registry, ...wiring }: Wiring) {
  const { database, redis, tracing } = wiring;
  const egress = fromSetting('TOOL_EGRESS_ALLOW', () => createEgress(config.TOOL_EGRESS_ALLOW));
  lifecycle.add('egress', () => egress.close());
  const producer = createJobProducer(redis, (err) => logger.warn({ err }, 'job queue error'));
  lifecycle.add('job queues', () => producer.close());
  const perKey = (name: string, perMinute: number) => createRateLimit(redis, { name, perMinute });
  const parts = {
    database,
    secretBox: createSecretBox(config.SECRETS_KEY, config.SECRETS_KEY_PREVIOUS),
    approvals: createApprovalDesk({
      ...{ database, redis, producer },
      metrics: approvalMetrics(registry),
      onError: (err) => logger.warn({ err }, 'approval timer or hint failed'),
    }),
    producer,
    redis,
    defaultConnection: defaultConnection(config),
    logger,
    settings: config,
  };
  const questions = await openQuestions({
    ...parts,
    redisOptions: redisOptions(config, { name: 'parley-api', logger }),
    egress,
    registry,
  }).catch(unusable('REDIS_URL'));
  lifecycle.add('run hints', () => questions.close());
  database.onAnnounced(
    createEventPublisher({ log: createEventLog(redis), onOutcome: eventMetrics(registry) }),
  );
  const subscription = redisOptions(config, { name: 'parley-api', logger });
  const events = await openEvents({ redis, redisOptions: subscription, registry }).catch(
    unusable('REDIS_URL'),
  );
  lifecycle.add('events', () => events.close());
  const app = createApi({
    ...parts,
    tokens: createSessionTokens(redis),
    liveSessions: createLiveSessions(redis),
    questions,
    trials: questions.runtime,
    events: events.desk,
    egress,
    files: await openFileStore(database, config).catch(unusable('FILE_STORAGE')),
    rateLimits: {
      requests: perKey('requests', config.RATE_LIMIT_PER_MINUTE),
      sessions: perKey('sessions', config.RATE_LIMIT_SESSIONS_PER_MINUTE),
    },
    ...countFailedRequests(redis, config),
    console: openConsole(redis),
    httpMetrics: httpMetrics(registry),
    metrics: apiMetrics(registry),
    quotaMetrics: quotaMetrics(registry, quotaNames),
    tracing,
  });
  return { app, questions, events };
}

main().catch(reportStartupFailure);
