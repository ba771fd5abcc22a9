import { resealSecrets, type ResealReport } from '@parley/database';
import { administrator, type Answer, type Input } from './command.js';

export async function reencryptSecrets({ database, secretBox }: Input): Promise<Answer> {
  const report = await resealSecrets({
    database,
    secretBox: await secretBox(),
    actor: administrator,
  });
  const rows = Object.entries(report.counts).map(([kind, counts]) => ({ kind, ...counts }));
  const sum = (outcome: 'changed' | 'unreadable') =>
    rows.reduce((total, counts) => total + counts[outcome], 0);
  const notes = [
    ...(sum('changed') > 0
      ? ['What changed meanwhile was left alone; run this again to see to it.']
      : []),
    ...unreadableNotes(report, sum('unreadable')),
  ];
  return {
    json: report,
    rows,
    note: notes.length > 0 ? notes.join('\n') : 'Everything is encrypted with SECRETS_KEY.',
    failed: sum('unreadable') > 0,
  };
}

function unreadableNotes({ unreadable }: ResealReport, total: number): string[] {
  if (total === 0) return [];
  return [
    'These open with none of the given keys:',
    ...unreadable.map(
      ({ organizationId, secret }) => `  ${secret} of organization ${organizationId}`,
    ),
    ...(total > unreadable.length ? [`  and ${total - unreadable.length} more`] : []),
    'Name the key that they were stored with in SECRETS_KEY_PREVIOUS and run this again. If it is lost, store these',
    'secrets again; answers (of requests with an Idempotency-Key) are forgotten after a day.',
  ];
}
