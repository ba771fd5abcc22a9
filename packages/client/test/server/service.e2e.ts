import { expect } from 'chai';
import { startStandalone, waitFor, type Standalone } from '@parley/testkit';
import { RealtimeSession } from '@parley/client';
import { methods } from '#src/server/groups.js';
import { headersOf, Parley, type ParleyApiError } from '#src/server/index.js';
import { Hook } from './support/hook.js';
import { collect, failureOf } from './support/scripted-service.js';
import { administratorOf, secondTenant } from './support/second-tenant.js';

/** Every method, with a note of each that was called. */
function noting(parley: Parley, called: Set<string>): Parley {
  const follow = (target: object, path: string): object =>
    new Proxy(target, {
      get(from, name) {
        const value = Reflect.get(from, name) as object;
        const inside = `${path}${String(name)}`;
        if (typeof value === 'object') return follow(value, `${inside}.`);
        called.add(inside);
        return value;
      },
    });
  return follow(parley, '') as Parley;
}

const eventTypes = [
  'approval.waiting',
  'approval.decided',
  'question.answered',
  'session.ended',
  'task.changed',
] as const;

const codeOf = async (work: PromiseLike<unknown>) =>
  ((await failureOf(work)) as ParleyApiError).errorCode;

describe('@parley/client/server and a running service', () => {
  const called = new Set<string>();
  let standalone: Standalone;
  let parley: Parley;
  let other: Parley;
  let hook: Hook;
  let agentId: string;

  before(async () => {
    standalone = await startStandalone({ TOOL_EGRESS_ALLOW: '127.0.0.1' });
    hook = await Hook.open();
    parley = noting(new Parley(standalone.credentials), called);
    other = await secondTenant(standalone);
    const tools = [{ kind: 'builtin', name: 'create_task', approvalRequired: true }] as const;
    const agent = await parley.agents.create({ name: 'Ada', tools });
    agentId = agent.id;
    const webhook = await parley.webhooks.create({ url: hook.url, events: eventTypes });
    hook.secret = webhook.secret;
  });
  after(async () => {
    hook.close();
    await standalone.stop();
  });

  it('reads and changes agents, of its own organization alone', async () => {
    const { id } = await parley.agents.create({ name: 'B' });
    expect((await parley.agents.list({ limit: 1 })).items).to.have.length(1);
    expect((await collect(parley.agents.list({ limit: 2 }))).map((agent) => agent.id)).to.include(
      id,
    );
    expect(await parley.agents.update(id, { voice: 'echo' })).to.include({ voice: 'echo' });
    expect(await parley.agents.replace(id, { name: 'C' })).to.include({
      name: 'C',
      voice: 'alloy',
    });
    expect((await other.agents.list()).total).to.equal(0);
    expect(await codeOf(other.agents.get(id))).to.equal('not-found');
    expect(await codeOf(other.agents.delete(id))).to.equal('not-found');
    expect(await parley.agents.get(id)).to.include({ name: 'C' });
    await parley.agents.delete(id);
    expect(await codeOf(parley.agents.get(id))).to.equal('not-found');
  });

  it('creates once what is asked for twice', async () => {
    const options = { idempotencyKey: 'agent-1' };
    const first = await parley.agents.create({ name: 'Once' }, options);
    const second = await parley.agents.create({ name: 'Once' }, options);
    expect(second.id).to.equal(first.id);
    expect(headersOf(second).get('idempotent-replayed')).to.equal('true');
    expect(await codeOf(parley.agents.create({ name: 'Else' }, options))).to.equal(
      'idempotency-key-reused',
    );
  });

  it('tells what is wrong, and where', async () => {
    const error = await failureOf(parley.agents.create({ name: '', voice: 7 } as never));
    expect(error).to.include({ status: 400, errorCode: 'body-invalid' });
    expect((error as ParleyApiError).errors.map(({ path }) => path)).to.include('/name');
    expect(error).to.have.property('requestId').that.is.a('string');
    expect(await codeOf(parley.agents.get('x'))).to.equal('id-malformed');
    const { baseUrl, organizationId } = standalone.credentials;
    const stranger = new Parley({ baseUrl, organizationId, apiKey: 'parley_x' });
    expect(await codeOf(stranger.agents.list())).to.equal('key-invalid');
  });

  it('reads and changes connections', async () => {
    const { id } = await parley.connections.create({ name: 'Own', kind: 'openai' });
    expect(await parley.connections.get(id)).to.include({ name: 'Own' });
    expect(await parley.connections.update(id, { name: 'Mine' })).to.include({ name: 'Mine' });
    expect((await collect(parley.connections.list())).map((each) => each.id)).to.include(id);
    expect(await codeOf(other.connections.get(id))).to.equal('not-found');
    await parley.connections.delete(id);
    expect(await codeOf(parley.connections.get(id))).to.equal('not-found');
  });

  it('keeps tasks in step, and changes none that somebody else has changed', async () => {
    const made = await parley.tasks.create({ title: 'T', metadata: { n: 1 } });
    const read = await parley.tasks.get(made.id);
    const ifMatch = headersOf(read).get('etag')!;
    expect(await parley.tasks.update(made.id, { status: 'done' }, { ifMatch })).to.include({
      status: 'done',
    });
    const late = parley.tasks.replace(made.id, { title: 'U' }, { ifMatch });
    expect(await codeOf(late)).to.equal('precondition-failed');
    await parley.tasks.saveByExternalId('crm/1', { title: 'V' });
    const saved = await parley.tasks.saveByExternalId('crm/1', { title: 'W' });
    expect((await parley.tasks.list({ externalId: 'crm/1' })).items).to.deep.equal([saved]);
    expect(await codeOf(other.tasks.get(saved.id))).to.equal('not-found');
    await parley.tasks.delete(saved.id);
    await parley.tasks.delete(made.id);
    expect(await collect(parley.tasks.list())).to.deep.equal([]);
  });

  it('uploads a file and gets it back', async () => {
    const file = new File(['Grüße'], 'Grüße.txt');
    const { id } = await parley.files.upload(file);
    expect(await parley.files.get(id)).to.include({ name: 'Grüße.txt', sizeBytes: 7 });
    expect((await collect(parley.files.list())).map((each) => each.id)).to.include(id);
    const download = await parley.files.download(id);
    expect(download.headers.get('content-type')).to.match(/^text\/plain/);
    expect(await download.text()).to.equal('Grüße');
    expect(await codeOf(other.files.download(id))).to.equal('not-found');
    await parley.files.delete(id);
    expect(await codeOf(parley.files.get(id))).to.equal('not-found');
  });

  it('tells in a session what was said before it', async () => {
    const { conversationId } = await parley.questions.ask(agentId, { question: '!say Hi' });
    const session = await RealtimeSession.connect({
      create: (request) => parley.realtimeSessions.create(agentId, { ...request, conversationId }),
      baseUrl: standalone.credentials.baseUrl,
    });
    session.sendText('!say Bye');
    await waitFor(() => session.messages.length === 4 && session.messages[3]!.final, {
      what: 'the answer',
    });
    const told = session.messages.map(({ text, replayed }) => [text, replayed]);
    session.close();
    await parley.conversations.delete(conversationId);
    expect(told).to.deep.equal([
      ['!say Hi', true],
      ['Hi', true],
      ['!say Bye', false],
      ['Bye', false],
    ]);
  });

  it('asks questions, and reads the conversation', async () => {
    const { status, conversationId } = await parley.questions.ask(agentId, { question: '!say Hi' });
    expect(status).to.equal('completed');
    const stream = parley.questions.stream(agentId, { question: '!say Bye', conversationId });
    let heard = '';
    for await (const event of stream)
      if (event.type === 'response.text.delta') heard += event.data.delta;
    expect(heard).to.equal('Bye');
    expect(await stream.answer()).to.include({ answer: 'Bye', conversationId });
    const messages = await collect(parley.conversations.listMessages(conversationId, { limit: 2 }));
    expect(messages.map(({ content }) => content)).to.deep.equal([
      '!say Hi',
      'Hi',
      '!say Bye',
      'Bye',
    ]);
    expect(await parley.conversations.get(conversationId)).to.include({ agentId, messageCount: 4 });
    const exported = await parley.conversations.export(conversationId);
    expect(exported.messages).to.deep.equal(messages);
    expect((await parley.conversations.list({ agentId })).total).to.equal(1);
    expect(await codeOf(other.conversations.export(conversationId))).to.equal('not-found');
    expect(await codeOf(other.questions.stream(agentId, { question: 'Hi' }).answer())).to.equal(
      'not-found',
    );
    await parley.conversations.delete(conversationId);
    expect(await codeOf(parley.conversations.get(conversationId))).to.equal('not-found');
  });

  it('decides about all that waits, however many pages it takes', async () => {
    const question = '!call create_task {"title": "Water"}';
    const asked = await Promise.all(
      [1, 2, 3, 4, 5].map(() => parley.questions.ask(agentId, { question })),
    );
    expect(asked.map(({ status }) => status)).to.deep.equal(Array(5).fill('waitingForApproval'));
    const [{ approvals }] = asked as [(typeof asked)[0]];
    expect((await other.approvals.list()).total).to.equal(0);
    expect(await codeOf(other.approvals.approve(approvals[0]!.id))).to.equal('not-found');
    const decided: string[] = [];
    for await (const { id } of parley.approvals.list({ agentId, limit: 2 })) {
      const isFirst = decided.length === 0;
      const { state } = await (isFirst
        ? parley.approvals.reject(id)
        : parley.approvals.approve(id));
      decided.push(state);
    }
    expect(decided).to.deep.equal(['rejected', ...Array<string>(4).fill('approved')]);
    expect(await codeOf(parley.approvals.approve(approvals[0]!.id))).to.equal('approval-decided');
  });

  it('creates realtime sessions, lists the open ones and ends them', async () => {
    const session = await RealtimeSession.connect({
      create: (request) => parley.realtimeSessions.create(agentId, request),
      baseUrl: standalone.credentials.baseUrl,
      reconnectAttempts: 0,
    });
    const closed = new Promise<void>((resolve) => {
      session.on('state', ({ state }) => state === 'closed' && resolve());
    });
    const live = await waitFor(
      async () => (await parley.realtimeSessions.list({ agentId })).items[0],
      {
        what: 'the session',
      },
    );
    expect((await other.realtimeSessions.list()).total).to.equal(0);
    expect(await codeOf(other.realtimeSessions.end(live.id))).to.equal('not-found');
    await parley.realtimeSessions.end(live.id);
    await closed;
    expect(live.agentId).to.equal(agentId);
  });

  it('is told by webhooks, and believes nobody else', async () => {
    const { items } = await parley.webhooks.list();
    const [{ id }] = items as [(typeof items)[0]];
    expect(await parley.webhooks.get(id)).to.include({ url: hook.url });
    await waitFor(
      () => eventTypes.every((type) => hook.events.some((event) => event.type === type)),
      {
        what: 'every kind of event',
      },
    );
    expect(hook.refused).to.deep.equal([]);
    const ended = hook.events.find((event) => event.type === 'session.ended');
    expect(ended?.data).to.include({ agentId });
    hook.secret = (await other.webhooks.create({ url: hook.url, events: ['task.changed'] })).secret;
    await parley.tasks.create({ title: 'Signed by another' });
    await waitFor(() => hook.refused.length > 0, { what: 'the refusal' });
    expect(hook.refused[0]).to.include({ reason: 'signature-wrong' });
    expect((await parley.webhooks.replaceSecret(id)).secret).to.match(/^whsec_/);
    const deliveries = await collect(parley.webhooks.listDeliveries(id));
    expect(deliveries.length).to.be.above(5);
    const done = deliveries.find(({ state }) => state === 'delivered');
    expect(await parley.webhooks.redeliver(id, done?.id ?? '')).to.include({ state: 'pending' });
    expect(await codeOf(other.webhooks.get(id))).to.equal('not-found');
    expect(await parley.webhooks.update(id, { enabled: false })).to.include({ enabled: false });
    await parley.webhooks.delete(id);
    expect((await parley.webhooks.list()).total).to.equal(0);
  });

  it('reads the audit log: a page, all of it, and as CSV', async () => {
    const { total, items } = await parley.audit.list({ action: 'agent.created' });
    expect(total).to.be.above(2);
    const exported = await collect(parley.audit.export({ action: 'agent.created' }));
    expect(exported).to.deep.equal(items);
    const csv = (await collect(parley.audit.exportCsv({ action: 'agent.created' }))).join('');
    expect(csv.trimEnd().split(/\r?\n/)[0]).to.include('sequence');
    const theirs = await collect(other.audit.export());
    expect(theirs.map(({ resourceId }) => resourceId)).not.to.include(agentId);
  });

  it('looks after keys and members, with a key that may', async () => {
    expect(await codeOf(parley.apiKeys.list())).to.equal('scope-missing');
    const admin = noting(await administratorOf(standalone), called);
    const key = await admin.apiKeys.create({ name: 'CRM', scopes: ['agents'] });
    const crm = new Parley({ ...standalone.credentials, apiKey: key.apiKey });
    expect((await crm.agents.list()).total).to.be.above(0);
    expect(await admin.apiKeys.update(key.id, { name: 'Sales' })).to.include({ name: 'Sales' });
    await admin.apiKeys.revoke(key.id);
    expect(await codeOf(crm.agents.list())).to.equal('key-invalid');
    expect((await collect(admin.apiKeys.list())).map(({ id }) => id)).to.include(key.id);
    const member = await admin.members.add({ email: 'grace@example.com', role: 'viewer' });
    expect(await admin.members.changeRole(member.id, { role: 'editor' })).to.include({
      role: 'editor',
    });
    const link = await admin.members.createSignInLink(member.id);
    expect(link.signInPath).to.include('#sign-in=');
    await admin.members.remove(member.id);
    const emails = (await collect(admin.members.list())).map(({ email }) => email);
    expect(emails).not.to.include('grace@example.com');
  });

  it('tries tools and connections, verifies the audit log, and tells what was used', async () => {
    const tried = await parley.agents.tryTool(agentId, 'create_task', {
      arguments: { title: 'Tried' },
    });
    expect(tried.result).to.be.an('object');
    const server = { kind: 'mcp', name: 'nobody', serverUrl: 'http://127.0.0.1:9/mcp' } as const;
    const { id: served } = await parley.agents.create({ name: 'Served', tools: [server] });
    const listing = await parley.agents.listServerTools(served, 'nobody');
    expect(listing.tools).to.deep.equal([]);
    expect(listing.problems).to.have.length(1);
    await parley.agents.delete(served);
    const { id } = await parley.connections.create({
      name: 'Nobody there',
      kind: 'openai',
      baseUrl: 'http://127.0.0.1:9/v1',
    });
    expect(await parley.connections.test(id)).to.include({ ok: false });
    await parley.connections.delete(id);
    expect(await parley.audit.verify()).to.include({ intact: true, brokenAt: null });
    expect((await parley.usage.get()).items.length).to.be.above(0);
  });

  it('hears of what happens', async () => {
    const stop = new AbortController();
    const heard = parley.events.listen({ signal: stop.signal })[Symbol.asyncIterator]();
    const first = heard.next();
    await waitFor(
      async () => {
        await parley.tasks.create({ title: 'Heard of' });
        return Promise.race([
          first.then(() => true),
          new Promise<boolean>((no) => setTimeout(no, 100, false)),
        ]);
      },
      { what: 'an event' },
    );
    expect((await first).value).to.include({ type: 'task.changed' });
    stop.abort();
  });

  it('has called every method by now', () => {
    const all = Object.entries(methods).flatMap(([group, rows]) =>
      Object.keys(rows).map((name) => `${group}.${name}`),
    );
    expect([...called].filter((name) => name.includes('.')).sort()).to.include.members(all);
  });
});
