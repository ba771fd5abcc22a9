import { connectDatabase, migrate, type Database } from '@parley/database';
import { unusable, type ConfigOf, type Lifecycle, type Logger } from '@parley/service-kit';
import { connectRedis, redisOptions, type Redis } from '@parley/session-store';

type Wiring = { config: ConfigOf<'api'>; logger: Logger; lifecycle: Lifecycle };

/** Both stores, reachable and up to date, or a reason not to start. */
export async function openStores(wiring: Wiring): Promise<{ database: Database; redis: Redis }> {
  return { database: await openDatabase(wiring), redis: await openRedis(wiring) };
}

async function openDatabase({ config, logger, lifecycle }: Wiring): Promise<Database> {
  if (config.MIGRATE_ON_START) {
    const { applied } = await migrate(config.DATABASE_URL).catch(unusable('DATABASE_URL'));
    if (applied.length > 0) logger.info({ applied }, 'migrated');
  }
  const database = connectDatabase({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: 'parley-api',
    onError: (err) => logger.warn({ err }, 'database connection lost'),
  });
  lifecycle.add('database', () => database.close());
  await database.ping().catch(unusable('DATABASE_URL'));
  return database;
}

async function openRedis({ config, logger, lifecycle }: Wiring): Promise<Redis> {
  const owner = { name: 'parley-api', logger };
  const redis = await connectRedis(redisOptions(config, owner)).catch(unusable('REDIS_URL'));
  lifecycle.add('redis', () => redis.disconnect());
  return redis;
}
