import type { Job } from './job.js';
import { closeSessionsOfLostPods } from './processors/close-lost-sessions.js';
import { cancelRevokedQuestions } from './processors/cancel-revoked-questions.js';
import { deliverWebhooks } from './processors/deliver-webhooks.js';
import { forgetPassing, rememberedSeconds } from './processors/forget-passing.js';
import { purgeConversations } from './processors/purge-conversations.js';
import { purgeFiles } from './processors/purge-files.js';
import { purgeIdempotencyKeys } from './processors/purge-idempotency-keys.js';
import { resumeRuns } from './processors/resume-runs.js';
import { sweepApprovals } from './processors/sweep-approvals.js';
import { verifyAuditLogs } from './processors/verify-audit.js';
import { keptDays, purgeWebhookDeliveries } from './processors/purge-webhook-deliveries.js';

/** Every job. Schedules, metrics labels and the README's table derive from it. */
export const jobs = {
  'purge-conversations': {
    doc: 'Deletes conversations that have not been updated for `CONVERSATION_RETENTION_DAYS`, and records the number in the audit log.',
    everySeconds: 3600,
    run: purgeConversations,
  },
  'forget-passing': {
    doc: `Deletes the text of questions outside a conversation if their caller has not returned the results of its own tools within ${rememberedSeconds / 60} minutes.`,
    everySeconds: 600,
    run: forgetPassing,
  },
  'purge-files': {
    doc: 'Deletes expired temporary files and the remains of incomplete uploads, and records the number in the audit log.',
    everySeconds: 600,
    run: purgeFiles,
  },
  'purge-idempotency-keys': {
    doc: 'Deletes responses stored for an `Idempotency-Key` after 24 hours.',
    everySeconds: 600,
    run: purgeIdempotencyKeys,
  },
  'close-lost-sessions': {
    doc: 'Closes the realtime sessions of crashed gateways in the record, and their open tool calls.',
    everySeconds: 10,
    run: closeSessionsOfLostPods,
  },
  'sweep-approvals': {
    doc: 'Expires approvals whose timer was lost.',
    everySeconds: 5,
    run: sweepApprovals,
  },
  'resume-runs': {
    doc: 'Resumes questions whose approval was decided or whose process crashed, if nothing else has.',
    everySeconds: 5,
    run: resumeRuns,
  },
  'cancel-revoked-questions': {
    doc: 'Cancels questions, and their pending approvals, whose API key was revoked or has expired, or whose member was removed.',
    everySeconds: 5,
    run: cancelRevokedQuestions,
  },
  'deliver-webhooks': {
    doc: 'Delivers events to webhooks, and retries failed deliveries.',
    everySeconds: 1,
    queue: 'webhooks',
    run: deliverWebhooks,
  },
  'purge-webhook-deliveries': {
    doc: `Deletes webhook delivery records after ${keptDays} days.`,
    everySeconds: 3600,
    run: purgeWebhookDeliveries,
  },
  'verify-audit': {
    doc: 'Verifies the hash chain of every organization’s audit log once a day, in batches; each run continues where the last one stopped.',
    everySeconds: 600,
    run: verifyAuditLogs,
  },
} as const satisfies Record<string, Job>;

export type JobName = keyof typeof jobs;

export const jobNames = Object.keys(jobs) as JobName[];

export function queueOf(name: JobName): 'maintenance' | 'webhooks' {
  const job: Job = jobs[name];
  return job.queue ?? 'maintenance';
}

export function isJobName(name: string): name is JobName {
  return Object.hasOwn(jobs, name);
}

/** The README's table of jobs. */
export function jobsMarkdown(): string {
  const rows = Object.entries(jobs).map(
    ([name, { everySeconds, doc }]) => `| \`${name}\` | ${interval(everySeconds)} | ${doc} |`,
  );
  return ['| job | interval | description |', '|---|---|---|', ...rows, ''].join('\n');
}

function interval(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${seconds / 60} min`;
}
