import type { Job } from './job.js';
import { closeSessionsOfLostPods } from './processors/close-lost-sessions.js';
import { purgeConversations } from './processors/purge-conversations.js';
import { purgeFiles } from './processors/purge-files.js';
import { purgeIdempotencyKeys } from './processors/purge-idempotency-keys.js';

/** Every job. Schedules, metrics labels and the README's table derive from it. */
export const jobs = {
  'purge-conversations': {
    doc: 'Deletes conversations that were not updated for `CONVERSATION_RETENTION_DAYS`, and records how many in the audit log.',
    everySeconds: 3600,
    run: purgeConversations,
  },
  'purge-files': {
    doc: 'Deletes temporary files that have expired.',
    everySeconds: 600,
    run: purgeFiles,
  },
  'purge-idempotency-keys': {
    doc: 'Forgets the answers that were kept for an Idempotency-Key, after 24 hours.',
    everySeconds: 600,
    run: purgeIdempotencyKeys,
  },
  'close-lost-sessions': {
    doc: 'Closes realtime sessions in the record whose gateway died before it could.',
    everySeconds: 60,
    run: closeSessionsOfLostPods,
  },
} as const satisfies Record<string, Job>;

export type JobName = keyof typeof jobs;

export const jobNames = Object.keys(jobs) as JobName[];

export function isJobName(name: string): name is JobName {
  return Object.hasOwn(jobs, name);
}

/** The README's table of jobs. */
export function jobsMarkdown(): string {
  const rows = Object.entries(jobs).map(
    ([name, { everySeconds, doc }]) => `| \`${name}\` | ${everySeconds / 60} min | ${doc} |`,
  );
  return ['| job | every | what it does |', '|---|---|---|', ...rows, ''].join('\n');
}
