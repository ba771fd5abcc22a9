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
    doc: 'Deletes conversations that were not updated for `CONVERSATION_RETENTION_DAYS`, and records how many in the audit log.',
    everySeconds: 3600,
    run: purgeConversations,
  },
  'forget-passing': {
    doc: `Forgets the words of questions that belong to no conversation, if ${rememberedSeconds / 60} minutes later their caller has not come back with the results of its own tools.`,
    everySeconds: 600,
    run: forgetPassing,
  },
  'purge-files': {
    doc: 'Deletes temporary files that have expired, and what is left of uploads that never ended; records how many in the audit log.',
    everySeconds: 600,
    run: purgeFiles,
  },
  'purge-idempotency-keys': {
    doc: 'Forgets the answers that were kept for an Idempotency-Key, after 24 hours.',
    everySeconds: 600,
    run: purgeIdempotencyKeys,
  },
  'close-lost-sessions': {
    doc: 'Closes realtime sessions in the record whose gateway died before it could, and the tool calls that they left open.',
    everySeconds: 10,
    run: closeSessionsOfLostPods,
  },
  'sweep-approvals': {
    doc: 'Expires approvals whose own timer was lost, also after Redis lost its data.',
    everySeconds: 5,
    run: sweepApprovals,
  },
  'resume-runs': {
    doc: 'Goes on with questions whose approval was decided or whose process died, if nobody else did.',
    everySeconds: 5,
    run: resumeRuns,
  },
  'cancel-revoked-questions': {
    doc: 'Cancels questions whose API key was revoked or has expired, or whose member was removed, with the approvals that they wait for.',
    everySeconds: 5,
    run: cancelRevokedQuestions,
  },
  'deliver-webhooks': {
    doc: 'Sends events to the webhooks that want them, and again later to those that did not accept.',
    everySeconds: 1,
    queue: 'webhooks',
    run: deliverWebhooks,
  },
  'purge-webhook-deliveries': {
    doc: `Deletes what is known of deliveries to webhooks after ${keptDays} days.`,
    everySeconds: 3600,
    run: purgeWebhookDeliveries,
  },
  'verify-audit': {
    doc: 'Verifies the hash chain of every organization’s audit log once a day, piece by piece; a run goes on where the last one stopped.',
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
  return ['| job | every | what it does |', '|---|---|---|', ...rows, ''].join('\n');
}

function interval(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${seconds / 60} min`;
}
