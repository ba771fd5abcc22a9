import type { KillableServer } from './killable-server.js';

/** Several Redis servers, of which one takes the place of another that is lost. */
export interface RedisTopology {
  /** The environment of a process that uses it. */
  readonly settings: Readonly<{
    REDIS_URL: string;
    REDIS_MODE: 'sentinel' | 'cluster';
    REDIS_SENTINEL_MASTER?: string;
    REDIS_SENTINEL_PASSWORD?: string;
  }>;
  /** Kills a master, or freezes it with SIGSTOP; resolves with it once another has taken its place everywhere. */
  failover(options?: FailoverOptions): Promise<KillableServer>;
  stop(): Promise<void>;
}

export interface FailoverOptions {
  signal?: NodeJS.Signals;
  /** In a cluster, the master that holds this key. */
  key?: string;
  /** What is written meanwhile reaches no replica, and is lost with the master. */
  lose?: () => Promise<void>;
}
