import './favour-memory.js';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { approvalMetrics } from '@parley/approvals';
import { bootstrapOrganization, createSecretBox } from '@parley/database';
import { openFileStore } from '@parley/file-store';
import { defaultConnection } from '@parley/providers';
import {
  createLifecycle,
  createLogger,
  createMetrics,
  createReadiness,
  httpMetrics,
  listen,
  reportStartupFailure,
  requireConfig,
  startInternalServer,
  unusable,
} from '@parley/service-kit';
import {
  createApprovals,
  createJobProducer,
  createLiveSessions,
  createRateLimit,
  createSessionTokens,
} from '@parley/session-store';
import { createApi } from './api.js';
import { announceClose, closeServer } from './close-server.js';
import { openStores } from './open-stores.js';

/** For a whole request to arrive, a file on a slow line included. Headers have a minute. */
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

  const { database, redis } = await openStores({ config, logger, lifecycle });
  if (config.BOOTSTRAP_ORG_ID !== undefined)
    await bootstrapOrganization(database, {
      organizationId: config.BOOTSTRAP_ORG_ID,
      organizationName: 'Bootstrap',
      apiKey: config.BOOTSTRAP_API_KEY,
      keyName: 'bootstrap',
    });

  const producer = createJobProducer(redis, (err) => logger.warn({ err }, 'job queue trouble'));
  lifecycle.add('job queues', () => producer.close());
  const app = createApi({
    database,
    secretBox: createSecretBox(config.SECRETS_KEY),
    tokens: createSessionTokens(redis),
    approvals: createApprovals(redis),
    liveSessions: createLiveSessions(redis),
    producer,
    redis,
    files: await openFileStore(database, config).catch(unusable('FILE_STORAGE')),
    rateLimits: {
      requests: createRateLimit(redis, {
        name: 'requests',
        perMinute: config.RATE_LIMIT_PER_MINUTE,
      }),
      sessions: createRateLimit(redis, {
        name: 'sessions',
        perMinute: config.RATE_LIMIT_SESSIONS_PER_MINUTE,
      }),
    },
    defaultConnection: defaultConnection(config),
    logger,
    httpMetrics: httpMetrics(registry),
    approvalMetrics: approvalMetrics(registry),
    settings: config,
  });
  const { HOST: host, INTERNAL_PORT } = config;
  const internal = await startInternalServer({ host, port: INTERNAL_PORT, registry, readiness });
  lifecycle.add('internal server', () => internal.close());
  // Longer than a load balancer keeps its side open, so that it never writes into a connection that we just closed.
  const server = createServer({ keepAliveTimeout: 70_000, requestTimeout: uploadMs }, app);
  const port = await listen(server, { host, port: config.PORT, setting: 'PORT' });
  lifecycle.add('server', () => closeServer(server));
  lifecycle.add('readiness', async () => {
    readiness.draining();
    announceClose(server);
    await delay(lag * 1000);
  });
  readiness.started();
  logger.info({ port, internalPort: internal.port }, 'ready');
}

main().catch(reportStartupFailure);
