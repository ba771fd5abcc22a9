export type RedisMode = 'single' | 'sentinel' | 'cluster';

/** The Redis to use, and the callbacks for its state. */
export type RedisOptions = {
  /** One URL; for Sentinel or Cluster, the sentinels or some of the nodes, separated by commas. */
  readonly url: string;
  readonly mode?: RedisMode;
  /** The sentinels' name for the master. */
  readonly sentinelMaster?: string | undefined;
  readonly sentinelPassword?: string | undefined;
  /** Shown by CLIENT LIST. */
  readonly name?: string;
  readonly onError?: (error: Error) => void;
  readonly metrics?: RedisMetrics | undefined;
  /** Called at the start if the server may lose or evict data. */
  readonly onWarning?: ((warning: string) => void) | undefined;
};

/** Reports a client's commands and reconnects. `failed` means that there was no response. */
export type RedisMetrics = {
  command(seconds: number, failed: boolean): void;
  reconnected(): void;
};

/** The settings, by the names of their variables. */
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
