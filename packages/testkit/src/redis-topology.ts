import type { KillableServer } from './killable-server.js';

/** Several Redis servers, one of which replaces another that fails. */
export type RedisTopology = {
  /** The environment of a process that uses it. */
  readonly settings: Readonly<{
    REDIS_URL: string;
    REDIS_MODE: 'sentinel' | 'cluster';
    REDIS_SENTINEL_MASTER?: string;
    REDIS_SENTINEL_PASSWORD?: string;
  }>;
  /**
   * Kills a master, or freezes it with SIGSTOP. Resolves with that master once another has replaced
   * it everywhere.
   */
  failover(options?: FailoverOptions): Promise<KillableServer>;
  stop(): Promise<void>;
};

export type FailoverOptions = {
  signal?: NodeJS.Signals;
  /** In a cluster, selects the master that holds this key. */
  key?: string;
  /** What this writes reaches no replica, and is lost with the master. */
  lose?: () => Promise<void>;
};
