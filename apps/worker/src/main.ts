import { connectDatabase, createSecretBox } from '@parley/database';
import { createEgress } from '@parley/egress';
import { openFileStore } from '@parley/file-store';
import { defaultConnection } from '@parley/providers';
import {
  createLifecycle,
  createLogger,
  createMetrics,
  createReadiness,
  eventMetrics,
  fromSetting,
  openTracing,
  reportStartupFailure,
  requireConfig,
  startInternalServer,
  storeMetrics,
  unusable,
} from '@parley/service-kit';
import { createEventLog, createEventPublisher, redisOptions } from '@parley/session-store';
import { startWorker } from './worker.js';

/** For what comes after the drain: closing the server and the stores. */
const stopSeconds = 10;

async function main(): Promise<void> {
  const { config, warnings } = requireConfig('worker', process.env);
  const logger = createLogger({ app: 'worker', level: config.LOG_LEVEL });
  for (const warning of warnings) logger.warn({ warning }, 'unknown setting');
  const { registry } = createMetrics({ app: 'worker' });
  const readiness = createReadiness();
  const timeoutMs = (config.DRAIN_TIMEOUT_SECONDS + stopSeconds) * 1000;
  const lifecycle = createLifecycle({ logger, timeoutMs });
  lifecycle.onSignals(process, (code) => process.exit(code));
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = config;
  const tracing = await openTracing({ app: 'worker', endpoint, lifecycle });

  const stores = storeMetrics(registry);
  const database = connectDatabase({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: 'parley-worker',
    onError: (err) => logger.warn({ err }, 'database connection lost'),
    onTransaction: stores.postgres.transaction,
  });
  lifecycle.add('database', () => database.close());
  await database.ping().catch(unusable('DATABASE_URL'));
  const { HOST: host, INTERNAL_PORT } = config;
  const internal = await startInternalServer({ host, port: INTERNAL_PORT, registry, readiness });
  lifecycle.add('internal server', () => internal.close());
  const egress = fromSetting('TOOL_EGRESS_ALLOW', () => createEgress(config.TOOL_EGRESS_ALLOW));
  lifecycle.add('egress', () => egress.close());
  const onOutcome = eventMetrics(registry);
  const files = await openFileStore(database, config).catch(unusable('FILE_STORAGE'));
  const worker = await startWorker({
    redis: redisOptions(config, { name: 'parley-worker', logger, metrics: stores.redis }),
    database,
    secretBox: createSecretBox(config.SECRETS_KEY, config.SECRETS_KEY_PREVIOUS),
    egress,
    files,
    defaultConnection: defaultConnection(config),
    logger,
    registry,
    settings: config,
    tracing,
    onConnected: (redis) =>
      database.onAnnounced(createEventPublisher({ log: createEventLog(redis), onOutcome })),
  }).catch(unusable('REDIS_URL'));
  lifecycle.add('worker', () => worker.close());
  lifecycle.add('readiness', () => readiness.draining());
  readiness.started();
  logger.info({ internalPort: internal.port }, 'ready');
}

main().catch(reportStartupFailure);
