import { connectDatabase, migrate, type Database } from '@parley/database';
import { startEmbeddedPostgres, startEmbeddedValkey } from '@parley/embedded';
import {
  unusable,
  type ConfigOf,
  type Lifecycle,
  type Logger,
  type StoreMetrics,
} from '@parley/service-kit';
import { connectRedis, redisOptions, type Redis, type RedisOptions } from '@parley/session-store';

export type StoreOptions = {
  config: ConfigOf<'standalone'>;
  dataDir: string;
  logger: Logger;
  lifecycle: Lifecycle;
  metrics: StoreMetrics;
  say: (line: string) => void;
  onFailure: (error: Error) => void;
};

export type Stores = { database: Database; redis: Redis; redisOptions: RedisOptions };

/** The stores that the settings name, else the embedded ones. */
export async function openStores(options: StoreOptions): Promise<Stores> {
  return { database: await openDatabase(options), ...(await openRedis(options)) };
}

async function openDatabase(options: StoreOptions): Promise<Database> {
  const { config, logger, lifecycle, metrics, say } = options;
  const url = config.DATABASE_URL ?? (await startPostgres(options));
  const { applied } = await migrate(url).catch(unusable('DATABASE_URL'));
  if (applied.length > 0) say(`Database: ${applied.length} migration(s) applied`);
  const database = connectDatabase({
    url,
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: 'parley-standalone',
    onError: (err) => logger.warn({ err }, 'database connection lost'),
    onTransaction: metrics.postgres.transaction,
  });
  lifecycle.add('database', () => database.close());
  return database;
}

async function startPostgres({
  dataDir,
  logger,
  lifecycle,
  say,
  onFailure,
}: StoreOptions): Promise<string> {
  say('PostgreSQL: starting the embedded one (set DATABASE_URL to use another)');
  const server = await startEmbeddedPostgres({
    dataDir,
    onProgress: (message) => say(`PostgreSQL: ${message}`),
    onLog: (line) => logger.debug({ line }, 'postgres'),
    onExit: onFailure,
  });
  lifecycle.add('embedded postgres', () => server.stop());
  return server.url;
}

async function openRedis(options: StoreOptions): Promise<Pick<Stores, 'redis' | 'redisOptions'>> {
  const { config, logger, lifecycle, metrics } = options;
  const settings = { ...config, REDIS_URL: config.REDIS_URL ?? (await startValkey(options)) };
  const access = {
    ...redisOptions(settings, { name: 'parley-standalone', logger, metrics: metrics.redis }),
    // That the embedded one keeps nothing is known.
    ...(config.REDIS_URL === undefined && { onWarning: undefined }),
  };
  const redis = await connectRedis(access).catch(unusable('REDIS_URL'));
  lifecycle.add('redis', () => redis.disconnect());
  return { redis, redisOptions: access };
}

async function startValkey({ logger, lifecycle, say, onFailure }: StoreOptions): Promise<string> {
  say('Redis: starting the embedded Valkey (set REDIS_URL to use another)');
  const server = await startEmbeddedValkey({
    onLog: (line) => logger.debug({ line }, 'valkey'),
    onExit: onFailure,
  });
  lifecycle.add('embedded valkey', () => server.stop());
  return server.url;
}
