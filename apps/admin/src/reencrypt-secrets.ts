import { resealSecrets, type ResealReport } from '@parley/database';
import { administrator, type Answer, type Input } from './command.js';

export async function reencryptSecrets({ database, secretBox }: Input): Promise<Answer> {
  const report = await resealSecrets({
    database,
    secretBox: await secretBox(),
    actor: administrator,
  });
  const rows = Object.entries(report.counts).map(([kind, counts]) => ({ kind, ...counts }));
  const unread = rows.reduce((total, { unreadable }) => total + unreadable, 0);
  return {
    json: report,
    rows,
    note: unread > 0 ? unreadableNote(report, unread) : 'Everything is encrypted with SECRETS_KEY.',
    failed: unread > 0,
  };
}

function unreadableNote({ unreadable }: ResealReport, total: number): string {
  return [
    'None of the given keys decrypts these:',
    ...unreadable.map(
      ({ organizationId, secret }) => `  ${secret} of organization ${organizationId}`,
    ),
    ...(total > unreadable.length ? [`  and ${total - unreadable.length} more`] : []),
    'Add the key that they were encrypted with to SECRETS_KEY_PREVIOUS and run this again. If it is lost, store these',
    'secrets again; responses (to requests with an Idempotency-Key) are deleted after a day.',
  ].join('\n');
}
