export type RedisMode = 'single' | 'sentinel' | 'cluster';

/** Which Redis, and who is told about it. */
export type RedisOptions = {
  /** One URL; with Sentinel or Cluster the sentinels or some of the nodes, separated by commas. */
  readonly url: string;
  readonly mode?: RedisMode;
  /** What the sentinels call the master. */
  readonly sentinelMaster?: string | undefined;
  readonly sentinelPassword?: string | undefined;
  /** Shown by CLIENT LIST. */
  readonly name?: string;
  readonly onError?: (error: Error) => void;
  readonly metrics?: RedisMetrics | undefined;
  /** Told at the start of a server that may lose or evict what it was given. */
  readonly onWarning?: ((warning: string) => void) | undefined;
};

/** Told of a client's commands, and whenever it had to connect again. `failed` means that no answer came. */
export type RedisMetrics = {
  command(seconds: number, failed: boolean): void;
  reconnected(): void;
};

/** The settings under the names of their variables. */
export type RedisSettings = {
  readonly REDIS_URL: string;
  readonly REDIS_MODE: RedisMode;
  readonly REDIS_SENTINEL_MASTER?: string | undefined;
  readonly REDIS_SENTINEL_PASSWORD?: string | undefined;
};

/** The process that connects. */
export type RedisOwner = {
  readonly name: string;
  readonly logger: { warn(fields: object, message: string): void };
  readonly metrics?: RedisMetrics;
};

export function redisOptions(settings: RedisSettings, owner?: RedisOwner): RedisOptions {
  return {
    url: settings.REDIS_URL,
    mode: settings.REDIS_MODE,
    sentinelMaster: settings.REDIS_SENTINEL_MASTER,
    sentinelPassword: settings.REDIS_SENTINEL_PASSWORD,
    ...(owner && {
      name: owner.name,
      metrics: owner.metrics,
      onError: (err) => owner.logger.warn({ err }, 'redis connection lost'),
      onWarning: (warning) =>
        owner.logger.warn({ warning }, 'redis is not configured for durability'),
    }),
  };
}
