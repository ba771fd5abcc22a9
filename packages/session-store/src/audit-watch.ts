import type { Redis } from 'ioredis';
import { auditWatchKey } from './keys.js';
import { defineScript, type ScriptRunner } from './lua-script.js';

/** The progress of a pass over the audit logs of all organizations. */
export type AuditWalk = {
  readonly startedAt: number;
  /** The last organization that is done. */
  readonly after: string | null;
  /**
   * The position inside an organization's log: the last good record, its hash in hex, and the
   * head's promise.
   */
  readonly at: {
    readonly organizationId: string;
    readonly sequence: number;
    readonly hash: string;
    readonly promised: number;
  } | null;
  readonly organizations: number;
  readonly broken: number;
};

export type AuditState = {
  /** The pass in progress. */
  readonly walk: AuditWalk | null;
  /** The last completed pass. */
  readonly verified: {
    readonly startedAt: number;
    readonly endedAt: number;
    readonly broken: number;
  } | null;
};

/**
 * The state of audit verification that all workers share. If Redis loses it, the next pass starts
 * from the beginning.
 */
export type AuditWatch = {
  read(): Promise<AuditState>;
  /** False if another worker continued from the state that was read. */
  replace(read: AuditState, next: AuditState): Promise<boolean>;
};

const none: AuditState = { walk: null, verified: null };

export function createAuditWatch(redis: ScriptRunner & Pick<Redis, 'get'>): AuditWatch {
  const replaceWatch = defineScript(redis, 'replace-audit-watch');
  return {
    async read() {
      const text = await redis.get(auditWatchKey);
      return text === null ? none : (JSON.parse(text) as AuditState);
    },
    async replace(read, next) {
      const before = read === none ? '' : JSON.stringify(read);
      return (await replaceWatch([auditWatchKey], [before, JSON.stringify(next)])) === 1;
    },
  };
}
