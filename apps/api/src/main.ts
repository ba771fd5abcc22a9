import { createServer } from 'node:http';
import { bootstrapOrganization, connectDatabase, createSecretBox, migrate } from '@parley/database';
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
  StartupError,
} from '@parley/service-kit';
import { connectRedis, createRateLimit } from '@parley/session-store';
import { createApi } from './api.js';

async function main(): Promise<void> {
  const { config, warnings } = requireConfig('api', process.env);
  const logger = createLogger({ app: 'api', level: config.LOG_LEVEL });
  for (const warning of warnings) logger.warn(warning);
  const { registry } = createMetrics({ app: 'api' });
  const readiness = createReadiness();
  const lifecycle = createLifecycle({ logger, timeoutMs: config.DRAIN_TIMEOUT_SECONDS * 1000 });
  lifecycle.onSignals(process, (code) => process.exit(code));

  if (config.MIGRATE_ON_START) {
    const { applied } = await migrate(config.DATABASE_URL).catch(unreachable('DATABASE_URL'));
    if (applied.length > 0) logger.info({ applied }, 'migrated');
  }
  const database = connectDatabase({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: 'parley-api',
    onError: (err) => logger.warn({ err }, 'database connection lost'),
  });
  lifecycle.add('database', () => database.close());
  await database.ping().catch(unreachable('DATABASE_URL'));

  const redis = await connectRedis({
    url: config.REDIS_URL,
    name: 'parley-api',
    onError: (err) => logger.warn({ err }, 'redis connection lost'),
  }).catch(unreachable('REDIS_URL'));
  lifecycle.add('redis', () => redis.disconnect());

  if (config.BOOTSTRAP_ORG_ID !== undefined)
    await bootstrapOrganization(database, {
      organizationId: config.BOOTSTRAP_ORG_ID,
      organizationName: 'Bootstrap',
      keyName: 'bootstrap',
      ...(config.BOOTSTRAP_API_KEY !== undefined && { apiKey: config.BOOTSTRAP_API_KEY }),
    });

  const app = createApi({
    database,
    secretBox: createSecretBox(config.SECRETS_KEY),
    rateLimit: createRateLimit(redis, {
      name: 'requests',
      perMinute: config.RATE_LIMIT_PER_MINUTE,
    }),
    logger,
    httpMetrics: httpMetrics(registry),
    settings: config,
  });
  const server = createServer({ keepAliveTimeout: 70_000, requestTimeout: 60_000 }, app);
  const internal = await startInternalServer({
    host: config.HOST,
    port: config.INTERNAL_PORT,
    registry,
    readiness,
  });
  lifecycle.add('internal server', () => internal.close());
  const port = await listen(server, { host: config.HOST, port: config.PORT, setting: 'PORT' });
  lifecycle.add('server', async () => {
    readiness.draining();
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    await closed;
  });
  readiness.started();
  logger.info({ port, internalPort: internal.port }, 'ready');
}

function unreachable(setting: string) {
  return (cause: Error): never => {
    throw new StartupError(`${setting} cannot be used: ${cause.message}`, { cause });
  };
}

main().catch(reportStartupFailure);
