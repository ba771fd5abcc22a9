import type { Redis } from 'ioredis';
import { auditWatchKey } from './keys.js';
import { defineScript, type ScriptRunner } from './lua-script.js';

/** How far a walk along the audit logs of all organizations has come. */
export type AuditWalk = {
  readonly startedAt: number;
  /** The last organization that is done. */
  readonly after: string | null;
  /** In the middle of whose log it is, and where: the last good record, its hash in hex, and what the head has promised. */
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
  /** The walk that is under way. */
  readonly walk: AuditWalk | null;
  /** The last one that came to its end. */
  readonly verified: {
    readonly startedAt: number;
    readonly endedAt: number;
    readonly broken: number;
  } | null;
};

/** The watch over the audit logs that all workers share. If Redis loses it, the next walk starts from the beginning. */
export type AuditWatch = {
  read(): Promise<AuditState>;
  /** False: another worker went on from the state that was read. */
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
