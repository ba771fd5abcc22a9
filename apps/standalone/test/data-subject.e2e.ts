import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { WebSocket } from 'ws';
import { spokenAudio } from '@parley/provider-simulator';
import { connectRedis } from '@parley/session-store';
import {
  appProgram,
  migratedDatabase,
  runNode,
  temporaryFolder,
  testRedis,
  waitFor,
  type MigratedDatabase,
  type RunningProgram,
} from '@parley/testkit';

const main = appProgram('standalone');
const organizationId = randomUUID();
const apiKey = randomBytes(24).toString('hex');
/** Whatever holds it holds what was said. */
const said = `quokka${randomBytes(6).toString('hex')}`;

type Json = Record<string, unknown>;
type Sent = { body?: object; key?: string };
type Event = { type: string; data?: Json; [field: string]: unknown };

describe('what was said in a conversation', () => {
  let database: MigratedDatabase;
  let redisUrl: string;
  let outside: Server;
  let program: RunningProgram;
  let origin: string;
  let agentId: string;
  const heard: string[] = [];

  before(async () => {
    database = await migratedDatabase();
    redisUrl = (await testRedis()).url;
    outside = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        heard.push(`${request.url} ${body}`);
        const status = request.url === '/hook' ? 500 : 200;
        response.writeHead(status, { 'content-type': 'text/plain' }).end(`${said} answered`);
      });
    }).listen(0, '127.0.0.1');
    await once(outside, 'listening');
    program = runNode([main], {
      env: {
        ...{ PORT: '0', INTERNAL_PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'trace' },
        DATA_DIR: join(await temporaryFolder(), 'data'),
        DATABASE_URL: database.url,
        REDIS_URL: redisUrl,
        BOOTSTRAP_ORG_ID: organizationId,
        BOOTSTRAP_API_KEY: apiKey,
        TOOL_EGRESS_ALLOW: '127.0.0.1',
      },
    });
    origin = /http:\/\/[\w.:]+/.exec(await program.line(/curl -H/))![0];
    agentId = await newAgent();
  });
  after(async () => {
    program.child.kill('SIGTERM');
    await program.ended;
    outside.close();
    outside.closeAllConnections();
    await database.drop();
  });

  const request = async (method: string, path: string, { body, key }: Sent = {}) => {
    const form = body instanceof FormData;
    const reply = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: {
        'x-api-key': apiKey,
        'x-org-id': organizationId,
        ...(body && !form && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body && { body: form ? body : JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: reply.status, text, body: (text === '' ? {} : JSON.parse(text)) as Json };
  };

  const newAgent = async (): Promise<string> => {
    const { port } = outside.address() as AddressInfo;
    const http = { kind: 'http', description: 'A tool.', url: `http://127.0.0.1:${port}/tool` };
    const events = ['approval.waiting', 'approval.decided', 'question.answered', 'task.changed'];
    await request('POST', '/Webhook', { body: { url: `http://127.0.0.1:${port}/hook`, events } });
    const { body } = await request('POST', '/Agent', {
      body: {
        name: 'Ada',
        tools: [
          { ...http, name: 'look_up', method: 'POST' },
          { ...http, name: 'pay', method: 'POST', approvalRequired: true },
          { kind: 'builtin', name: 'create_task' },
        ],
      },
    });
    return body['id'] as string;
  };

  /** Where a text stands in PostgreSQL, table by table, and in Redis. */
  const places = async (): Promise<string[]> => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const found: string[] = [];
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    for (const { name } of rows) {
      const { rowCount } = await client.query(
        `select from "${name}" t where strpos(t::text, $1) > 0 limit 1`,
        [said],
      );
      if (rowCount! > 0) found.push(name);
    }
    await client.end();
    return [...found, ...(await placesInRedis())];
  };

  const placesInRedis = async (): Promise<string[]> => {
    const redis = await connectRedis({ url: redisUrl, name: 'search' });
    const found: string[] = [];
    for (const key of await redis.keys('*')) {
      // A key may expire between the two commands; then it says nothing any more.
      const dump = (await redis.dumpBuffer(key)) as Buffer | null;
      if (`${key} ${dump?.toString('latin1') ?? ''}`.includes(said)) found.push(key);
    }
    redis.disconnect();
    return found;
  };

  const talk = async (fileIds: unknown[]) => {
    const { body } = await request('POST', `/Agent/${agentId}/realtime-session`, {
      body: { fileIds },
    });
    const socket = new WebSocket(`${origin.replace('http', 'ws')}${String(body['webSocketPath'])}`);
    const events: Event[] = [];
    socket.on('message', (data: Buffer) => events.push(JSON.parse(data.toString()) as Event));
    const send = (event: object) => socket.send(JSON.stringify(event));
    const seen = (type: string, which: (event: Event) => boolean = () => true) =>
      waitFor(() => events.find((event) => event.type === type && which(event)), { what: type });
    await seen('session.updated');
    const type = (text: string) => {
      const content = [{ type: 'input_text', text }];
      send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } });
      send({ type: 'response.create' });
    };
    const speak = (text: string) => {
      const sound = spokenAudio(text, { milliseconds: 2000 });
      for (let at = 0; at < sound.length; at += 9600)
        send({
          type: 'input_audio_buffer.append',
          audio: sound.subarray(at, at + 9600).toString('base64'),
        });
    };
    const leave = async () => {
      const closed = once(socket, 'close');
      socket.close();
      await closed;
    };
    const isAfter = (event: Event, other: Event) => events.indexOf(event) > events.indexOf(other);
    const conversation = { conversationId: body['conversationId'] as string };
    return { ...conversation, type, speak, seen, isAfter, leave };
  };

  it('is exported whole, and gone from everywhere once the conversation is deleted', async () => {
    const form = new FormData();
    form.set('file', new Blob(['Leek soup.'], { type: 'text/plain' }), 'menu.txt');
    const { body: file } = await request('POST', '/TemporaryFile', { body: form });
    const session = await talk([file['id']]);
    const { conversationId: id, seen } = session;
    session.speak(`${said} spoken`);
    await seen('message.created', ({ data }) => String(data?.['content']).includes('spoken'));
    await seen('response.done');
    /** The tool was called, and the model has said what it makes of that. */
    const done = async (name: string) => {
      const start = await seen(
        'response.function_invocation.start',
        ({ data }) => data?.['functionName'] === name,
      );
      const isIt = ({ data }: Event) => data?.['callId'] === start.data?.['callId'];
      const end = await seen('response.function_invocation.done', isIt);
      await seen('response.done', (event) => session.isAfter(event, end) && saysSomething(event));
    };
    session.type(`${said} typed !call look_up {"q":"${said} argument"}`);
    await done('look_up');
    session.type(`!call create_task {"title":"${said} title","description":"${said} described"}`);
    await done('create_task');
    session.type(`!call pay {"to":"${said} paid"}`);
    const { data: waiting } = await seen('approval.waiting');
    const approve = () =>
      request('POST', `/Approval/${String(waiting!['callId'])}/approve`, { key: 'approve-1' });
    expect((await approve()).text).to.include(`${said} paid`);
    expect((await approve()).text).to.include(`${said} paid`);
    await done('pay');
    await session.leave();
    const ask = () =>
      request('POST', `/Agent/${agentId}/question`, {
        body: { question: `${said} asked !say ${said} replied`, conversationId: id },
        key: 'question-1',
      });
    expect((await ask()).text).to.include(`${said} replied`);
    expect((await ask()).text).to.include(`${said} replied`);
    const { body: tasks } = await request('GET', '/Task');
    const [task] = tasks['items'] as Json[];
    await request('PATCH', `/Task/${String(task!['id'])}`, { body: { status: 'inProgress' } });
    await waitFor(() => heard.some((line) => line.startsWith('/hook')), { what: 'a webhook' });
    await waitFor(
      async () => !(await request('GET', `/Conversation/${id}`)).text.includes('"endedAt":null'),
      { what: 'the end of the session' },
    );
    expect(await places()).to.include.members(['messages', 'tool_calls', 'tasks']);

    const { body: exported } = await request('GET', `/Conversation/${id}/export`);
    expect(Object.keys(exported)).to.deep.equal([
      ...['conversation', 'messages', 'approvals', 'tasks', 'files'],
    ]);
    expect(exported['files']).to.have.nested.property('[0].name', 'menu.txt');
    const whole = JSON.stringify(exported);
    for (const words of [
      'spoken',
      'typed',
      'argument',
      'answered',
      'title',
      'paid',
      'asked',
      'replied',
    ])
      expect(whole).to.include(`${said} ${words}`);

    expect((await request('DELETE', `/Conversation/${id}`)).status).to.equal(204);
    expect(await places()).to.deep.equal([]);
    expect(program.output).to.not.include(said);
    expect(heard.filter((line) => line.startsWith('/hook')).join('\n')).to.not.include(said);
    expect((await approve()).status).to.equal(404);
    expect((await ask()).status).to.equal(404);
    expect(await places()).to.deep.equal([]);
    const { body: left } = await request('GET', `/Task/${String(task!['id'])}`);
    expect(left).to.include({ status: 'inProgress', description: '', conversationId: null });
  });
});

function saysSomething(event: Event): boolean {
  const { output } = event['response'] as { output: { type: string }[] };
  return output.some(({ type }) => type === 'message');
}
