import { symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { runNode, temporaryFolder } from '@parley/testkit';

const require = createRequire(import.meta.url);
const modules = join(import.meta.dirname, '../../../../node_modules');

/** What a backend writes; nothing of a browser is known there. */
const backend = `
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { headersOf, Parley, ParleyApiError, verifyWebhook, type Agent } from '@parley/client/server';

const parley = new Parley({ baseUrl: 'https://a.example', apiKey: 'k', organizationId: 'o' });

export async function all(known: string | undefined, request: IncomingMessage): Promise<Agent[]> {
  const { items } = await parley.agents.list({ limit: undefined });
  for await (const agent of parley.agents.list()) items.push(agent);
  await parley.realtimeSessions.create('a', { conversationId: known });
  await parley.files.upload({ name: 'a', content: await readFile('a') });
  const event = await verifyWebhook({ body: await buffer(request), headers: request.headers, secret: 's' });
  if (event.type === 'task.changed') event.data.version.toFixed();
  const answer = await parley.questions.ask('a', { question: 'q' });
  if (answer.status === 'completed') answer.answer.trim();
  for await (const record of parley.audit.export({ after: 7 })) record.actor.name.trim();
  const { body } = await parley.files.download('f');
  const etag: string | null = headersOf(answer).get('etag');
  return body === null || etag === null ? items : [];
}
export const isGone = (error: unknown): boolean =>
  error instanceof ParleyApiError && error.errorCode === 'not-found';

// @ts-expect-error There is no such field.
void parley.agents.create({ nam: 'A' });
// @ts-expect-error Nothing is done twice by reading.
void parley.agents.get('a', { idempotencyKey: 'k' });
// @ts-expect-error It is a word of a few.
void parley.tasks.list({ status: 'late' });
`;

describe('the types of @parley/client/server', () => {
  it('fit a strict backend without the types of browsers', async () => {
    const folder = await temporaryFolder();
    await symlink(modules, join(folder, 'node_modules'));
    await writeFile(join(folder, 'backend.ts'), backend);
    const flags =
      '--noEmit --strict --exactOptionalPropertyTypes --module nodenext --target es2022';
    const node = '--lib es2022 --types node';
    const args = [require.resolve('typescript/bin/tsc'), ...`${flags} ${node}`.split(' ')];
    const run = runNode([...args, 'backend.ts'], { cwd: folder });
    await run.ended;
    const ours = run.output.split('\n').filter((line) => !line.includes('@types/node'));
    expect(ours.filter((line) => /^\S.*error TS/.test(line))).to.deep.equal([]);
  });
});
