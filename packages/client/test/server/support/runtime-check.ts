// Run by each runtime with the address of a service: everything of theirs that the client builds on. It imports what is built, as a package would.
import {
  Parley,
  ParleyApiError,
  ParleyConnectionError,
  verifyWebhook,
} from '../../../dist/server/index.js';

const [baseUrl = '', headers = ''] = globalThis.process.argv.slice(2);
const parley = new Parley({ baseUrl, apiKey: 'key', organizationId: 'organization' });

function expectSame(what: string, found: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: ${a} instead of ${b}`);
}

expectSame('a repeated call', (await parley.agents.create({ name: 'A' })).name, 'A');
const refusal: unknown = await parley.agents.get('x').catch((error: unknown) => error);
expectSame('a refusal', refusal instanceof ParleyApiError && refusal.errorCode, 'not-found');

let heard = '';
for await (const event of parley.questions.stream('a', { question: 'Hi' }))
  if (event.type === 'response.text.delta') heard += event.data.delta;
expectSame('a stream', heard, 'Grüße');

const { name } = await parley.files.upload({ name: 'a.txt', content: 'Grüße' });
expectSame('an upload', name, 'a.txt: Grüße');
expectSame('a download', await (await parley.files.download('f')).text(), 'Grüße');

const hanging = parley.tasks.get('hangs', { timeoutMs: 50, maxRetries: 0 });
const late: unknown = await hanging.catch((error: unknown) => error);
expectSame('a timeout', late instanceof ParleyConnectionError && late.reason, 'timeout');
const abort = new AbortController();
const left = parley.tasks.get('hangs', { signal: abort.signal });
abort.abort();
const aborted: unknown = await left.catch((error: unknown) => error);
expectSame('an abort', aborted instanceof ParleyConnectionError && aborted.reason, 'aborted');

const event = await verifyWebhook({
  body: '{"type":"task.changed"}',
  headers: JSON.parse(headers) as Record<string, string>,
  secret: 'whsec_c2VjcmV0',
});
expectSame('a webhook', event.type, 'task.changed');
console.log('Everything works here.');
