import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { revokeApiKey } from '@parley/database';
import { createEventLog } from '@parley/session-store';
import { tcpProxy, testRedis, waitFor } from '@parley/testkit';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { newBrowser } from './support/console-client.js';
import { problemCode } from './support/contract-client.js';
import { listenTo, type EventReader } from './support/event-reader.js';
import { QuestionStage } from './support/question-stage.js';
import { recordSeed } from './support/record-seed.js';
import { callsOf } from './support/waiting-calls.js';

const createTask = async ({ client }: Tenant, title = 'Call back') =>
  ((await client.post('/api/v1/Task', { title })).body as { id: string }).id;

const typesOf = async (reader: EventReader, count: number) => {
  const types: string[] = [];
  while (types.length < count) types.push((await reader.next())?.type ?? 'end');
  return types;
};

describe('events of an organization', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  let redisUrl: string;
  const readers: EventReader[] = [];
  const closeReaders = () => {
    for (const reader of readers.splice(0)) reader.close();
  };
  before(async () => {
    redisUrl = (await testRedis()).url;
    api = await startApi({ redisUrl, events: { streams: 3, checkMs: 10, lookMs: 50 } });
  });
  beforeEach(async () => {
    tenant = await api.organization();
  });
  afterEach(() => closeReaders());
  after(() => api.stop());

  const listen = async (
    who: Pick<Tenant, 'key' | 'id'> = tenant,
    headers: Record<string, string> = {},
    at: Pick<ApiUnderTest, 'url'> = api,
  ) => {
    const reader = await listenTo(at, who, headers);
    readers.push(reader);
    return reader;
  };

  const newConversation = async ({ id, client }: Tenant) => {
    const { body } = await client.post('/api/v1/Agent', { name: 'A' });
    return recordSeed(api.database, id).conversation((body as { id: string }).id);
  };

  it('are no activity of whoever listens in a browser, and end with their session', async () => {
    const { cookie } = await newBrowser(api, tenant.id);
    const hash = createHash('sha256').update(cookie).digest('hex');
    const key = `parley:console:${hash}`;
    await api.redis.pexpire(key, 60_000);
    const reader = await listen({ key: '', id: tenant.id }, { Cookie: `parley_console=${cookie}` });
    expect(reader.response.status).to.equal(200);
    expect(await api.redis.pttl(key)).to.be.within(1, 60_000);
    await api.redis.del(key);
    expect(await reader.next()).to.equal(undefined);
  });

  it('come as server-sent events with ids and kinds', async () => {
    const reader = await listen();
    expect(reader.response.status).to.equal(200);
    expect(reader.response.headers.get('content-type')).to.equal('text/event-stream');
    expect(reader.response.headers.get('cache-control')).to.include('no-store');
    const taskId = await createTask(tenant);
    const event = await reader.next();
    expect(event?.type).to.equal('task.changed');
    expect(event?.id).to.match(/^\d+-\d+$/);
    expect(event?.data.type).to.equal('task.changed');
    expect(Date.parse(event?.data.timestamp ?? '')).to.be.greaterThan(0);
    expect(event?.data.data).to.deep.equal({
      id: taskId,
      change: 'created',
      agentId: null,
      conversationId: null,
    });
  });

  it('are told to nobody of another organization', async () => {
    const other = await api.organization();
    const theirs = await listen(other);
    const own = await listen();
    const taskId = await createTask(tenant);
    expect((await own.next())?.data.data['id']).to.equal(taskId);
    const theirTask = await createTask(other);
    expect((await theirs.next())?.data.data['id']).to.equal(theirTask);
  });

  it('tell of approvals that wait and are decided, with their messages', async () => {
    const reader = await listen();
    const conversation = await newConversation(tenant);
    const call = await callsOf(api, tenant)(conversation);
    await tenant.client.post(`/api/v1/Approval/${call.id}/approve`);
    expect(await reader.next()).to.nested.include({ type: 'message.created' });
    const place = {
      id: call.id,
      callId: call.callId,
      agentId: conversation.agentId,
      conversationId: conversation.id,
      sessionId: call.sessionId,
    };
    const waiting = await reader.next();
    expect(waiting?.data).to.deep.include({ type: 'approval.waiting', data: place });
    const decided = await reader.next();
    expect(decided?.data).to.deep.include({
      type: 'approval.decided',
      data: { ...place, state: 'approved' },
    });
  });

  it('are told as far as the scopes of the key go', async () => {
    const narrow = await api.organization({ scopes: ['tasks', 'agents'] });
    const reader = await listen(narrow);
    const conversation = await newConversation(narrow);
    await callsOf(api, narrow)(conversation);
    await createTask(narrow);
    expect((await reader.next())?.type).to.equal('task.changed');
    const without = await api.organization({ scopes: ['files', 'audit'] });
    const refused = await without.client.get('/api/v1/Event');
    expect(refused.status).to.equal(403);
    expect(problemCode(refused)).to.equal('scope-missing');
  });

  it('take the organization from the query, too', async () => {
    const at = `${api.url}/api/v1/Event`;
    const ask = async (query: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${at}${query}`, {
        headers: { 'X-Api-Key': tenant.key, ...headers },
      });
      if (response.ok) await response.body?.cancel();
      const type = response.ok ? '' : ((await response.json()) as { type: string }).type;
      return `${response.status} ${type.replace('/docs/errors#', '')}`.trim();
    };
    const other = randomUUID();
    expect(await ask(`?OrgId=${tenant.id}`)).to.equal('200');
    expect(await ask(`?OrgId=${tenant.id.toUpperCase()}`, { 'X-Org-Id': tenant.id })).to.equal(
      '200',
    );
    expect(await ask(`?OrgId=${other}`)).to.equal('403 organization-forbidden');
    for (const headers of [{ 'X-Org-Id': other }, { 'X-Org-Id': 'x' }])
      expect(await ask(`?OrgId=${tenant.id}`, headers)).to.equal('400 organization-malformed');
    expect(await ask('')).to.equal('400 organization-missing');
    expect(await ask('?OrgId=')).to.equal('400 organization-missing');
    expect(await ask('?OrgId=x')).to.equal('400 organization-malformed');
    expect(await ask(`?OrgId=${tenant.id}&OrgId=${other}`)).to.equal('400 organization-malformed');
    expect(await ask(`?OrgId=${tenant.id}&OrgId=${tenant.id}`)).to.equal('400 query-invalid');
    expect(await ask(`?OrgId=${tenant.id}&X=1`)).to.equal('400 query-invalid');
    const elsewhere = await fetch(`${api.url}/api/v1/Task?OrgId=${tenant.id}`, {
      headers: { 'X-Api-Key': tenant.key },
    });
    expect(elsewhere.status).to.equal(400);
  });

  it('go on after Last-Event-ID at another instance', async () => {
    const database = { database: api.database, url: api.databaseUrl };
    const drop = () => Promise.resolve();
    const next = await startApi({ redisUrl, database: { ...database, drop } });
    try {
      const first = await listen();
      const heard = await createTask(tenant);
      expect((await first.next())?.data.data['id']).to.equal(heard);
      const missed = [await createTask(tenant), await createTask(tenant)];
      const second = await listen(tenant, { 'Last-Event-ID': first.lastId ?? '' }, next);
      const live = await createTask(tenant);
      for (const id of [...missed, live])
        expect((await second.next())?.data.data['id']).to.equal(id);
    } finally {
      closeReaders();
      await next.stop();
    }
  });

  it('give a place to whoever has heard nothing yet, so that nothing is missed afterwards', async () => {
    const quiet = await listen();
    const unheard = quiet.next();
    await waitFor(() => quiet.lastId !== undefined, { what: 'a place' });
    const { lastId = '' } = quiet;
    quiet.close();
    await unheard;
    const missed = await createTask(tenant);
    const again = await listen(tenant, { 'Last-Event-ID': lastId });
    expect((await again.next())?.data.data['id']).to.equal(missed);
  });

  for (const id of ['x', '0-0', '1-1', '99999999999999-0', '(0-0', 'é'])
    it(`begin with resync for the unknown id ${id}`, async () => {
      await createTask(tenant);
      const reader = await listen(tenant, { 'Last-Event-ID': id });
      const first = await reader.next();
      expect(first?.type).to.equal('resync');
      expect(first?.data.data).to.deep.equal({});
      const taskId = await createTask(tenant);
      expect((await reader.next())?.data.data['id']).to.equal(taskId);
    });

  it('are refused to one stream too many, until another is closed', async () => {
    const open = [await listen(), await listen(), await listen()];
    const refused = await tenant.client.get('/api/v1/Event');
    expect(refused.status).to.equal(429);
    expect(problemCode(refused)).to.equal('too-many-streams');
    expect(refused.headers.get('retry-after')).to.equal('30');
    expect((await listen(await api.organization())).response.status).to.equal(200);
    open[0]?.close();
    await waitFor(async () => (await listen()).response.status === 200, { what: 'a free stream' });
  });

  it('are logged as answered when their listener leaves', async () => {
    const reader = await listen();
    const requestId = reader.response.headers.get('x-request-id');
    reader.close();
    const logged = () => api.logLines.find((line) => line.includes(`"requestId":"${requestId}"`));
    await waitFor(() => logged() !== undefined, { what: 'the line of the request' });
    expect(JSON.parse(logged() ?? '{}')).to.include({ route: '/Event', status: 200 });
  });

  it('end when the key is revoked, and not before', async () => {
    const other = await listen(await api.organization());
    const reader = await listen();
    await createTask(tenant);
    expect((await reader.next())?.type).to.equal('task.changed');
    await api.database.asSystem((system) => revokeApiKey(system, tenant.keyId));
    expect(await reader.next()).to.equal(undefined);
    expect((await tenant.client.get('/api/v1/Event')).status).to.equal(401);
    expect(other.response.status).to.equal(200);
  });

  it('end when the instance shuts down, which takes no more listeners', async () => {
    const leaving = await startApi();
    const own = await leaving.organization();
    const reader = await listen(own, {}, leaving);
    leaving.events.desk.leave();
    expect(await reader.next()).to.equal(undefined);
    const refused = await own.client.get('/api/v1/Event');
    expect(refused.status).to.equal(503);
    await leaving.stop();
  });

  it('let a reader go that stalls, and bring 10,000 events to one that reads', async function () {
    this.timeout(60_000);
    const log = createEventLog(api.redis);
    const stalled = connect(Number(new URL(api.url).port), '127.0.0.1').pause();
    stalled.on('error', () => undefined);
    const lines = [`X-Api-Key: ${tenant.key}`, `X-Org-Id: ${tenant.id}`, 'Host: x', '', ''];
    stalled.write(`GET /api/v1/Event HTTP/1.1\r\n${lines.join('\r\n')}`);
    const reader = await listen();
    const gauge = async (name: string) =>
      (await api.metrics.registry.getSingleMetricAsString(name)).split('\n').slice(2).join('\n');
    await waitFor(async () => (await gauge('parley_event_streams')).endsWith(' 2'), {
      what: 'both streams',
    });
    const data = { padding: 'x'.repeat(2000) };
    let heard = 0;
    for (let batch = 0; batch < 100; batch += 1) {
      const events = Array.from({ length: 100 }, (_, n) => ({ number: batch * 100 + n, ...data }));
      await log.append(
        tenant.id,
        events.map((one) => JSON.stringify({ type: 'task.changed', data: one })),
      );
      for (const { number } of events) {
        const event = await reader.next();
        expect(event?.data.data['number']).to.equal(number);
        heard += 1;
      }
    }
    expect(heard).to.equal(10_000);
    await waitFor(
      async () =>
        (await gauge('parley_event_streams_closed_total')).includes('reason="slow",app="api"} 1'),
      { what: 'the slow reader to be let go' },
    );
    stalled.resume();
    if (!stalled.closed) await once(stalled, 'close');
  });
});

describe('events while Redis is away', () => {
  it('are answered 503, and open streams are told to read again afterwards', async () => {
    const proxy = await tcpProxy({ target: (await testRedis()).url });
    const api = await startApi({ redisUrl: proxy.url });
    try {
      const tenant = await api.organization();
      const reader = await listenTo(api, tenant);
      await createTask(tenant);
      expect((await reader.next())?.type).to.equal('task.changed');
      proxy.refuse();
      proxy.cut();
      const refused = await tenant.client.get('/api/v1/Event');
      expect(refused.status).to.equal(503);
      expect(refused.headers.get('retry-after')).to.equal('5');
      const created = await tenant.client.post('/api/v1/Task', { title: 'Unheard' });
      expect(created.status).to.equal(201);
      proxy.heal();
      expect((await reader.next())?.type).to.equal('resync');
      reader.close();
    } finally {
      await api.stop();
      await proxy.stop();
    }
  });
});

describe('events of questions', () => {
  it('tell of the messages and of the answer, but not where nobody keeps the conversation', async () => {
    const stage = await QuestionStage.open();
    try {
      const { api, tenant } = stage;
      const agentId = await stage.agent([]);
      const reader = await listenTo(api, tenant);
      const passing = await fetch(`${api.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ model: agentId, messages: [{ role: 'user', content: 'Hello' }] }),
      });
      expect(passing.status).to.equal(200);
      await tenant.client.post(`/api/v1/Agent/${agentId}/question`, { question: 'Hello' });
      expect(await typesOf(reader, 3)).to.deep.equal([
        'message.created',
        'message.created',
        'question.answered',
      ]);
      await createTask(tenant);
      expect(await typesOf(reader, 1)).to.deep.equal(['task.changed']);
      reader.close();
    } finally {
      await stage.close();
    }
  });
});
