import { connectDatabase, createSecretBox } from '@parley/database';
import { createEgress } from '@parley/egress';
import { openFileStore } from '@parley/file-store';
import {
  createLifecycle,
  createLogger,
  createMetrics,
  createReadiness,
  reportStartupFailure,
  requireConfig,
  startInternalServer,
  unusable,
} from '@parley/service-kit';
import { redisOptions } from '@parley/session-store';
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

  const database = connectDatabase({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: 'parley-worker',
    onError: (err) => logger.warn({ err }, 'database connection lost'),
  });
  lifecycle.add('database', () => database.close());
  await database.ping().catch(unusable('DATABASE_URL'));
  const { HOST: host, INTERNAL_PORT } = config;
  const internal = await startInternalServer({ host, port: INTERNAL_PORT, registry, readiness });
  lifecycle.add('internal server', () => internal.close());
  const files = await openFileStore(database, config).catch(unusable('FILE_STORAGE'));
  const worker = await startWorker({
    redis: redisOptions(config),
    database,
    secretBox: createSecretBox(config.SECRETS_KEY),
    egress: createEgress(config.TOOL_EGRESS_ALLOW),
    files,
    logger,
    registry,
    settings: config,
  }).catch(unusable('REDIS_URL'));
  lifecycle.add('worker', () => worker.close());
  lifecycle.add('readiness', () => readiness.draining());
  readiness.started();
  logger.info({ internalPort: internal.port }, 'ready');
}

main().catch(reportStartupFailure);
