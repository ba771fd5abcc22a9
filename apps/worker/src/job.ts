import type { ApprovalDesk } from '@parley/approvals';
import type { Database, SecretBox } from '@parley/database';
import type { Egress } from '@parley/egress';
import type { FileStore } from '@parley/file-store';
import type { ConfigOf } from '@parley/service-kit';
import type { Approvals, LiveSessions } from '@parley/session-store';

export type WorkerSettings = Pick<
  ConfigOf<'worker'>,
  'CONVERSATION_RETENTION_DAYS' | 'REALTIME_MAX_SESSION_SECONDS' | 'DRAIN_TIMEOUT_SECONDS'
>;

export type JobContext = {
  readonly database: Database;
  readonly secretBox: SecretBox;
  /** For requests to addresses that an organization chose. */
  readonly egress: Pick<Egress, 'request'>;
  readonly files: Pick<FileStore, 'discard'>;
  readonly settings: WorkerSettings;
  readonly approvals: Pick<Approvals, 'overdue'>;
  readonly desk: Pick<ApprovalDesk, 'expire'>;
  readonly liveSessions: Pick<LiveSessions, 'lost' | 'giveUp'>;
};

/** What a run changed. With `more`, a batch was full and the job runs again at once: runs stay short, and pods share a backlog. */
export type JobResult = { readonly rows: number; readonly more: boolean };

/** Runs may repeat and overlap, on any number of pods: each must find its own work to do, or none. */
export type Job = {
  readonly doc: string;
  readonly everySeconds: number;
  readonly run: (context: JobContext) => Promise<JobResult>;
};

/** Rows of one transaction. */
export const batchSize = 500;
