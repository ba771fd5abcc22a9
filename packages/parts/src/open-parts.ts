import {
  connectDatabase,
  createSecretBox,
  isDatabaseAway,
  isSchemaBehind,
  migrate,
  type Database,
  type SecretBox,
} from '@parley/database';
import { createEgress, type Egress } from '@parley/egress';
import { defaultConnection, type ProviderConnection } from '@parley/providers';
import {
  eventMetrics,
  fromSetting,
  storeMetrics,
  type AppConfig,
  type Host,
} from '@parley/service-kit';
import {
  connectRedis,
  createEventLog,
  createEventPublisher,
  isRedisAway,
  redisOptions,
  type Redis,
  type RedisOptions,
} from '@parley/session-store';
import { patience } from './patience.js';

/**
 * What every app that runs agents is opened with, whether or not it shares these with other apps.
 */
export type Parts<Config> = Host<Config> & {
  readonly database: Database;
  readonly redis: Redis;
  /** For further connections to the same Redis. */
  readonly redisOptions: RedisOptions;
  readonly secretBox: SecretBox;
  /** Guards every request whose target an organization controls. */
  readonly egress: Egress;
  /** For agents without a connection of their own. */
  readonly defaultConnection: ProviderConnection | undefined;
};

export type PartsOptions = {
  /** Receives the migrations that were applied; undefined if there are none to apply. */
  readonly onMigrated?: ((applied: readonly string[]) => void) | undefined;
  /** This Redis is known not to persist its data, so there is no warning. */
  readonly forgetfulRedis?: boolean;
};

/** The settings that all of these apps read. */
type Settings = Pick<
  AppConfig<'api'>,
  keyof AppConfig<'api'> & keyof AppConfig<'realtime-gateway'> & keyof AppConfig<'worker'>
> & {
  /** Without it, a store that is away at the start is a reason not to start. */
  readonly STORE_WAIT_SECONDS?: number;
};

/**
 * Opens both stores, reachable, migrated and measured, and what is derived from the settings; or
 * throws a reason not to start.
 */
export async function openParts<Config extends Settings>(
  host: Host<Config>,
  { onMigrated, forgetfulRedis = false }: PartsOptions = {},
): Promise<Parts<Config>> {
  const { app, config, logger, registry, lifecycle } = host;
  const name = `parley-${app}`;
  const stores = storeMetrics(registry);
  const { STORE_WAIT_SECONDS: waitSeconds = 0 } = config;
  const waiting = patience({ waitMs: waitSeconds * 1000, logger });
  const postgres = {
    setting: 'DATABASE_URL',
    isAway: (error: unknown) => isDatabaseAway(error) || isSchemaBehind(error),
  };
  if (onMigrated) {
    const onBlocked = (migration: string) =>
      logger.warn({ migration }, 'migration waits for a table that is in use');
    const { applied } = await waiting(postgres, () => migrate(config.DATABASE_URL, { onBlocked }));
    if (applied.length > 0) onMigrated(applied);
  }
  const database = connectDatabase({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: name,
    onError: (err) => logger.warn({ err }, 'database connection lost'),
    onTransaction: stores.postgres.transaction,
  });
  lifecycle.add('database', () => database.close());
  await waiting(postgres, () => database.checkSchema());

  const access = {
    ...redisOptions(config, { name, logger, metrics: stores.redis }),
    ...(forgetfulRedis && { onWarning: undefined }),
  };
  const redis = await waiting({ setting: 'REDIS_URL', isAway: isRedisAway }, () =>
    connectRedis(access),
  );
  lifecycle.add('redis', () => redis.disconnect());
  stores.watch({ redis: () => redis.ping(), postgres: () => database.ping() });
  const log = createEventLog(redis);
  database.onAnnounced(createEventPublisher({ log, onOutcome: eventMetrics(registry) }));

  const egress = fromSetting('TOOL_EGRESS_ALLOW', () => createEgress(config.TOOL_EGRESS_ALLOW));
  lifecycle.add('egress', () => egress.close());
  return {
    ...host,
    database,
    redis,
    redisOptions: access,
    secretBox: createSecretBox(config.SECRETS_KEY, config.SECRETS_KEY_PREVIOUS),
    egress,
    defaultConnection: defaultConnection(config),
  };
}
