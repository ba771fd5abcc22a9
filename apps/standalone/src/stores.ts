import { connectDatabase, migrate, type Database } from '@parley/database';
import { startEmbeddedPostgres, startEmbeddedValkey } from '@parley/embedded';
import { unusable, type ConfigOf, type Lifecycle, type Logger } from '@parley/service-kit';
import { connectRedis, type Redis } from '@parley/session-store';

export type StoreOptions = {
  config: ConfigOf<'standalone'>;
  dataDir: string;
  logger: Logger;
  lifecycle: Lifecycle;
  say: (line: string) => void;
  onFailure: (error: Error) => void;
};

export type Stores = { database: Database; redis: Redis; redisUrl: string };

/** The stores that the settings name, else the embedded ones. */
export async function openStores(options: StoreOptions): Promise<Stores> {
  return { database: await openDatabase(options), ...(await openRedis(options)) };
}

async function openDatabase(options: StoreOptions): Promise<Database> {
  const { config, logger, lifecycle, say } = options;
  const url = config.DATABASE_URL ?? (await startPostgres(options));
  const { applied } = await migrate(url).catch(unusable('DATABASE_URL'));
  if (applied.length > 0) say(`Database: ${applied.length} migration(s) applied`);
  const database = connectDatabase({
    url,
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: 'parley-standalone',
    onError: (err) => logger.warn({ err }, 'database connection lost'),
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

async function openRedis(options: StoreOptions): Promise<Pick<Stores, 'redis' | 'redisUrl'>> {
  const { config, logger, lifecycle } = options;
  const redisUrl = config.REDIS_URL ?? (await startValkey(options));
  const redis = await connectRedis({
    url: redisUrl,
    name: 'parley-standalone',
    onError: (err) => logger.warn({ err }, 'redis connection lost'),
  }).catch(unusable('REDIS_URL'));
  lifecycle.add('redis', () => redis.disconnect());
  return { redis, redisUrl };
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
