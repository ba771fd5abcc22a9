import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import pg from 'pg';
import type { QuestionAnswer } from '@parley/protocol';
import { startSimulator } from '@parley/provider-simulator';
import {
  appProgram,
  runNode,
  testDatabase,
  testRedis,
  waitFor,
  type RunningProgram,
  type TestDatabase,
} from '@parley/testkit';

const programs = {
  api: appProgram('api'),
  worker: appProgram('worker'),
};
const organizationId = '7b6f4a52-0000-4000-8000-00000000beef';
const apiKey = 'a-key-made-by-the-operator';

type Sent = { body?: object | undefined; accept?: string };
type Message = { id: string; role: string; content: string; status: string };

describe('a question whose process is killed', () => {
  let store: TestDatabase;
  let bell: Server;
  let agentId: string;
  let base: string;
  const running = new Map<keyof typeof programs, RunningProgram>();
  /** Called for each ring; what it awaits holds the ring's answer back. */
  let onRing: () => Promise<unknown>;
  let rings: number;
  const env: Record<string, string> = {};
  const ends: (() => unknown)[] = [];

  before(async () => {
    store = await testDatabase();
    const simulator = await startSimulator();
    bell = createServer((_request, response) => {
      rings += 1;
      void onRing().then(() => response.end('rung'));
    });
    bell.listen(0, '127.0.0.1');
    await once(bell, 'listening');
    ends.push(
      () => store.drop(),
      () => simulator.close(),
      () => {
        bell.closeAllConnections();
        bell.close();
      },
    );
    Object.assign(env, {
      DATABASE_URL: store.url,
      REDIS_URL: (await testRedis()).url,
      SECRETS_KEY: randomBytes(32).toString('base64'),
      BOOTSTRAP_ORG_ID: organizationId,
      BOOTSTRAP_API_KEY: apiKey,
      PROVIDER_KIND: 'simulator',
      PROVIDER_BASE_URL: simulator.url,
      PROVIDER_API_KEY: 'sk-test',
      TOOL_EGRESS_ALLOW: '127.0.0.1',
      RATE_LIMIT_PER_MINUTE: '100000',
      DRAIN_LAG_SECONDS: '0',
      HOST: '127.0.0.1',
      PORT: '0',
      INTERNAL_PORT: '0',
    });
  });
  beforeEach(() => {
    rings = 0;
    onRing = () => Promise.resolve();
  });
  after(async () => {
    for (const program of running.values()) await program.stop();
    for (const end of ends.reverse()) await end();
  });

  const query = async (sql: string) => {
    const client = new pg.Client({ connectionString: store.url });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  /** The one that survived the case before, if it did. */
  const run = async (app: keyof typeof programs): Promise<RunningProgram> => {
    const survivor = running.get(app);
    if (survivor) return survivor;
    const program = runNode([programs[app]], { env });
    running.set(app, program);
    void program.ended.then(() => running.delete(app));
    const { port } = JSON.parse(await program.line(/"msg":"ready"/)) as { port: number };
    if (app === 'api') base = `http://127.0.0.1:${port}/api/v1`;
    return program;
  };
  const send = (method: string, path: string, { accept = 'application/json', ...sent }: Sent) =>
    fetch(`${base}${path}`, {
      method,
      headers: {
        'X-Api-Key': apiKey,
        'X-Org-Id': organizationId,
        'Content-Type': 'application/json',
        Accept: accept,
      },
      ...(sent.body && { body: JSON.stringify(sent.body) }),
    });
  const request = async <T>(method: string, path: string, body?: object): Promise<T> =>
    (await (await send(method, path, { body })).json()) as T;
  const newAgent = async (approvalRequired: boolean) => {
    const url = `http://127.0.0.1:${(bell.address() as AddressInfo).port}`;
    const tool = { kind: 'http', name: 'bell', description: 'Rings.', method: 'POST', url };
    const tools = [{ ...tool, approvalRequired }];
    agentId = (await request<{ id: string }>('POST', '/Agent', { name: 'Ada', tools })).id;
  };
  const ask = (question: string) =>
    request<QuestionAnswer>('POST', `/Agent/${agentId}/question`, { question });
  const messagesOf = async (conversationId: string) =>
    (await request<{ items: Message[] }>('GET', `/Conversation/${conversationId}/message`)).items;
  const answerIn = (conversationId: string) =>
    waitFor(
      async () => (await messagesOf(conversationId)).find(({ role }) => role === 'assistant'),
      { what: 'the answer', timeoutMs: 60_000 },
    );
  /** As if the lease of whoever was killed had been waited for. */
  const lapse = () => query(`update runs set lease_until = now() where state = 'open'`);
  const conversation = async () => {
    const { items } = await request<{ items: { id: string }[] }>(
      'GET',
      `/Conversation?AgentId=${agentId}`,
    );
    return items[0]!.id;
  };

  it('is resumed by a worker after the decision, though its api is gone', async () => {
    const first = await run('api');
    await newAgent(true);
    const { approvals, conversationId } = await ask('!call bell {}');
    await first.stop();
    await run('api');
    await run('worker');
    await request('POST', `/Approval/${approvals[0]!.id}/approve`);
    expect(await answerIn(conversationId)).to.include({ status: 'completed' });
    expect(rings).to.equal(1);
  });

  it('is answered by a worker when the api dies before the model has answered', async () => {
    const first = await run('api');
    await newAgent(false);
    const asked = ask('!delay 2000 !say Here it is').catch(() => undefined);
    const conversationId = await waitFor(() => conversation().catch(() => undefined), {
      what: 'the question in the record',
    });
    await first.stop();
    await asked;
    await lapse();
    await run('worker');
    await run('api');
    expect(await answerIn(conversationId)).to.include({ content: 'Here it is' });
  });

  it('repeats no tool when the api dies over it', async () => {
    const first = await run('api');
    await newAgent(false);
    const ringing = new Promise<void>((resolve) => {
      onRing = () => {
        resolve();
        return new Promise(() => undefined);
      };
    });
    const asked = ask('!call bell {}').catch(() => undefined);
    await ringing;
    const conversationId = await conversation();
    await first.stop();
    await asked;
    await lapse();
    await run('api');
    await run('worker');
    expect(await answerIn(conversationId)).to.include({ status: 'completed' });
    expect(rings).to.equal(1);
  });

  it('repeats no tool when a worker dies over it', async () => {
    await run('api');
    await newAgent(true);
    const { approvals, conversationId } = await ask('!call bell {}');
    const worker = await run('worker');
    const ringing = new Promise<void>((resolve) => {
      onRing = () => {
        resolve();
        return new Promise(() => undefined);
      };
    });
    await request('POST', `/Approval/${approvals[0]!.id}/approve`);
    await ringing;
    await worker.stop();
    await lapse();
    await run('worker');
    expect(await answerIn(conversationId)).to.include({ status: 'completed' });
    expect(rings).to.equal(1);
    const [, tool] = await messagesOf(conversationId);
    expect(tool).to.include({ role: 'tool', status: 'failed' });
    expect(tool!.content).to.match(/unknown/);
  });

  it('finds the result of a tool that was run before the worker died', async () => {
    await run('api');
    await newAgent(true);
    const { approvals, conversationId } = await ask('!call bell {} !delay 3000');
    const worker = await run('worker');
    await request('POST', `/Approval/${approvals[0]!.id}/approve`);
    await waitFor(
      async () => (await messagesOf(conversationId)).some(({ content }) => content === 'rung'),
      { what: 'the result in the record' },
    );
    await worker.stop();
    await lapse();
    await run('worker');
    expect(await answerIn(conversationId)).to.include({ status: 'completed' });
    expect(rings).to.equal(1);
  });

  it('drains: a question in flight is answered before the api ends', async () => {
    const api = await run('api');
    await newAgent(false);
    const asked = ask('!delay 1500 !say Just in time');
    await waitFor(() => conversation().catch(() => undefined), { what: 'the question' });
    api.child.kill('SIGTERM');
    expect(await asked).to.include({ status: 'completed', answer: 'Just in time' });
    expect(await api.ended).to.equal(0);
  });

  it('drains: a stream that waits for a person is let go with a word, and the question waits on', async () => {
    const api = await run('api');
    await newAgent(true);
    const response = await send('POST', `/Agent/${agentId}/question`, {
      body: { question: '!call bell {}' },
      accept: 'text/event-stream',
    });
    let told = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const isFirst = !told.includes('question.waiting');
      told += chunk;
      if (isFirst && told.includes('question.waiting')) api.child.kill('SIGTERM');
    }
    expect(told).to.match(/: closing: the answer will be added to the conversation\n\n$/);
    expect(await api.ended).to.equal(0);
    await run('api');
    await run('worker');
    const { items } = await request<{ items: { id: string }[] }>('GET', '/Approval?State=waiting');
    await request('POST', `/Approval/${items[0]!.id}/approve`);
    expect(await answerIn(await conversation())).to.include({ status: 'completed' });
    expect(rings).to.equal(1);
  });
});
