import { connectDatabase, migrate, type Database } from '@parley/database';
import {
  storeMetrics,
  unusable,
  type ConfigOf,
  type Lifecycle,
  type Logger,
  type Metrics,
} from '@parley/service-kit';
import { connectRedis, redisOptions, type Redis } from '@parley/session-store';

type Wiring = {
  config: ConfigOf<'api'>;
  logger: Logger;
  lifecycle: Lifecycle;
  registry: Metrics['registry'];
};

/** Both stores, reachable and up to date, or a reason not to start. */
export async function openStores(wiring: Wiring): Promise<{ database: Database; redis: Redis }> {
  const database = await openDatabase(wiring);
  const redis = await openRedis(wiring);
  storeMetrics(wiring.registry).watch({
    redis: () => redis.ping(),
    postgres: () => database.ping(),
  });
  return { database, redis };
}

async function openDatabase({ config, logger, lifecycle, registry }: Wiring): Promise<Database> {
  if (config.MIGRATE_ON_START) {
    const { applied } = await migrate(config.DATABASE_URL).catch(unusable('DATABASE_URL'));
    if (applied.length > 0) logger.info({ applied }, 'migrated');
  }
  const database = connectDatabase({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: 'parley-api',
    onError: (err) => logger.warn({ err }, 'database connection lost'),
    onTransaction: storeMetrics(registry).postgres.transaction,
  });
  lifecycle.add('database', () => database.close());
  await database.ping().catch(unusable('DATABASE_URL'));
  return database;
}

async function openRedis({ config, logger, lifecycle, registry }: Wiring): Promise<Redis> {
  const owner = { name: 'parley-api', logger, metrics: storeMetrics(registry).redis };
  const redis = await connectRedis(redisOptions(config, owner)).catch(unusable('REDIS_URL'));
  lifecycle.add('redis', () => redis.disconnect());
  return redis;
}
