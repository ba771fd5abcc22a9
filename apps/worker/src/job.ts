import type { ApprovalDesk } from '@parley/approvals';
import type { RuntimeSettings } from '@parley/agent-runtime';
import type { Database, SecretBox } from '@parley/database';
import type { Egress } from '@parley/egress';
import type { FileStore } from '@parley/file-store';
import type { ConfigOf, Logger } from '@parley/service-kit';
import type { AuditWatch, JobProducer, LiveSessions } from '@parley/session-store';
import type { WebhookMetrics } from './webhook-metrics.js';

export type WorkerSettings = Pick<
  ConfigOf<'worker'>,
  | 'CONVERSATION_RETENTION_DAYS'
  | 'REALTIME_MAX_SESSION_SECONDS'
  | 'REALTIME_RESUME_GRACE_SECONDS'
  | 'QUOTA_QUESTIONS'
> &
  RuntimeSettings;

export type JobContext = {
  readonly database: Database;
  readonly secretBox: SecretBox;
  /** For requests to addresses that an organization chose. */
  readonly egress: Egress;
  readonly files: Pick<FileStore, 'sweep'>;
  readonly settings: WorkerSettings;
  readonly approvals: Pick<ApprovalDesk, 'expireDue'>;
  readonly producer: Pick<JobProducer, 'enqueueRun'>;
  readonly liveSessions: Pick<LiveSessions, 'lost' | 'giveUp'>;
  readonly auditWatch: AuditWatch;
  readonly logger: Logger;
  readonly webhooks: WebhookMetrics;
};

/**
 * What a run changed. With `more`, a batch was full and the job runs again immediately: runs stay
 * short, and pods share a backlog. With `failure`, the run failed for some of the rows.
 */
export type JobResult = {
  readonly rows: number;
  readonly more: boolean;
  readonly failure?: Error;
};

/** Runs may repeat and overlap, on any number of pods: each must find its own work, or none. */
export type Job = {
  readonly doc: string;
  readonly everySeconds: number;
  /** A separate queue, for runs that may take so long that other jobs would have to wait. */
  readonly queue?: 'webhooks';
  readonly run: (context: JobContext) => Promise<JobResult>;
};

/** Rows per transaction. */
export const batchSize = 500;
