import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { problemCode, type Reply } from './support/contract-client.js';
import { recordSeed } from './support/record-seed.js';

type TaskBody = { id: string; title: string; version: number } & Record<string, unknown>;

const taskOf = ({ body }: Reply) => body as TaskBody;
const titlesOf = ({ body }: Reply) => (body as { items: TaskBody[] }).items.map((t) => t.title);
const fieldsOf = ({ body }: Reply) =>
  (body as { errors: { path: string }[] }).errors.map(({ path }) => path);

describe('tasks', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());
  beforeEach(async () => {
    tenant = await api.organization();
  });

  const newAgent = async ({ client }: Tenant, name = 'A') =>
    taskOf(await client.post('/api/v1/Agent', { name })).id;
  const newConversation = async ({ id }: Tenant, agentId: string) =>
    (await recordSeed(api.database, id).conversation(agentId)).id;

  it('are created with defaults, read, and found under their Location', async () => {
    const created = await tenant.client.post('/api/v1/Task', { title: 'Call back' });
    expect(created.status).to.equal(201);
    const task = taskOf(created);
    expect(task).to.deep.include({
      title: 'Call back',
      description: '',
      status: 'open',
      dueAt: null,
      agentId: null,
      conversationId: null,
      externalId: null,
      metadata: {},
      version: 1,
    });
    expect(created.headers.get('location')).to.equal(`/api/v1/Task/${task.id}`);
    const read = await tenant.client.get(`/api/v1/Task/${task.id}`);
    expect(read.body).to.deep.equal(task);
    expect(read.headers.get('etag')).to.equal(created.headers.get('etag'));
  });

  it('keep what they are given, metadata included', async () => {
    const agentId = await newAgent(tenant);
    const conversationId = await newConversation(tenant, agentId);
    const fields = {
      title: 'Süß 🐢',
      description: 'x\ny',
      status: 'inProgress',
      externalId: 'CRM/42 ü',
      metadata: { deep: [{ a: null }, 1.5, 'z'], constructor: 'plain' },
    };
    const { body } = await tenant.client.post('/api/v1/Task', {
      ...fields,
      dueAt: '2027-01-31T10:00:00+02:00',
      agentId: agentId.toUpperCase(),
      conversationId,
    });
    expect(body).to.deep.include({
      ...fields,
      dueAt: '2027-01-31T08:00:00.000Z',
      agentId,
      conversationId,
    });
  });

  it('are replaced by PUT, changed by PATCH, and gone after DELETE', async () => {
    const { client } = tenant;
    const { id } = taskOf(
      await client.post('/api/v1/Task', { title: 'A', description: 'd', externalId: 'x' }),
    );
    const patched = taskOf(
      await client.patch(`/api/v1/Task/${id}`, { status: 'done', externalId: null }),
    );
    expect(patched).to.deep.include({
      title: 'A',
      description: 'd',
      status: 'done',
      externalId: null,
      version: 2,
    });
    const replaced = taskOf(await client.put(`/api/v1/Task/${id}`, { title: 'B' }));
    expect(replaced).to.deep.include({ title: 'B', description: '', status: 'open', version: 3 });
    expect((await client.delete(`/api/v1/Task/${id}`)).status).to.equal(204);
    expect((await client.get(`/api/v1/Task/${id}`)).status).to.equal(404);
    expect((await client.delete(`/api/v1/Task/${id}`)).status).to.equal(404);
  });

  it('leave an audit record of each change, and none of a refusal', async () => {
    const { id } = taskOf(await tenant.client.post('/api/v1/Task', { title: 'A' }));
    await tenant.client.patch(`/api/v1/Task/${id}`, { title: 'B' });
    await tenant.client.delete(`/api/v1/Task/${id}`, { headers: { 'If-Match': '"old"' } });
    await tenant.client.delete(`/api/v1/Task/${id}`);
    const records = await api.database.asSystem(({ trx }) =>
      trx
        .selectFrom('auditLog')
        .select(['action', 'resourceId', 'before', 'after'])
        .where('organizationId', '=', tenant.id)
        .orderBy('sequence')
        .execute(),
    );
    expect(records.map(({ action }) => action)).to.deep.equal([
      'task.created',
      'task.updated',
      'task.deleted',
    ]);
    const { before: was, after: is } = records[1] as unknown as Record<
      string,
      { textHash: string }
    >;
    expect(was!.textHash)
      .to.match(/^[0-9a-f]{64}$/)
      .and.not.equal(is!.textHash);
    expect(JSON.stringify(records)).to.not.include('title');
    expect(new Set(records.map(({ resourceId }) => resourceId))).to.deep.equal(new Set([id]));
  });

  it('are listed oldest first and filtered', async () => {
    const { client } = tenant;
    const agentId = await newAgent(tenant);
    await client.post('/api/v1/Task', { title: 'a', status: 'done', externalId: 'a&b=c' });
    await client.post('/api/v1/Task', { title: 'b', agentId, dueAt: '2027-01-01T00:00:00Z' });
    await client.post('/api/v1/Task', { title: 'c', dueAt: '2027-02-01T00:00:00Z' });
    const find = async (query: string) => titlesOf(await client.get(`/api/v1/Task?${query}`));
    expect(await find('')).to.deep.equal(['a', 'b', 'c']);
    expect(await find('Offset=1&Limit=1')).to.deep.equal(['b']);
    expect(await find('Status=done')).to.deep.equal(['a']);
    expect(await find(`AgentId=${agentId}`)).to.deep.equal(['b']);
    expect(await find(`ExternalId=${encodeURIComponent('a&b=c')}`)).to.deep.equal(['a']);
    expect(await find('DueBefore=2027-02-01T00:00:00Z')).to.deep.equal(['b']);
    expect(await find('DueBefore=2027-02-01T00:00:00.001Z&Status=open')).to.deep.equal(['b', 'c']);
    expect(await find(`AgentId=${randomUUID()}`)).to.deep.equal([]);
    for (const query of ['Status=closed', 'AgentId=1', 'DueBefore=tomorrow', 'ExternalId=%00'])
      expect((await client.get(`/api/v1/Task?${query}`)).status, query).to.equal(400);
  });

  it('refuse what is out of bounds', async () => {
    let deep: unknown = 1;
    for (let level = 0; level < 9; level += 1) deep = { deep };
    const rows: [object, string][] = [
      [{}, ''],
      [{ title: ' ' }, '/title'],
      [{ title: 'x'.repeat(501) }, '/title'],
      [{ title: 'x', status: 'closed' }, '/status'],
      [{ title: 'x', dueAt: '2027-02-30T00:00:00Z' }, '/dueAt'],
      [{ title: 'x', dueAt: '2016-12-31T23:59:60Z' }, '/dueAt'],
      [{ title: 'x', dueAt: '0000-01-01T00:00:00+23:59' }, '/dueAt'],
      [{ title: 'x', externalId: ' ' }, '/externalId'],
      [{ title: 'x', metadata: [] }, '/metadata'],
      [{ title: 'x', metadata: { text: 'ü'.repeat(8200) } }, '/metadata'],
      [{ title: 'x', metadata: deep }, '/metadata'],
      [{ title: 'x', version: 7 }, '/version'],
    ];
    for (const [body, path] of rows) {
      const reply = await tenant.client.post('/api/v1/Task', body);
      expect([reply.status, fieldsOf(reply)], JSON.stringify(body).slice(0, 80)).to.deep.equal([
        400,
        [path],
      ]);
    }
  });

  describe('with an agent or a conversation', () => {
    it('refuse those of another organization like those that never were', async () => {
      const other = await api.organization();
      const agentId = await newAgent(other);
      const conversationId = await newConversation(other, agentId);
      const refusals = await Promise.all(
        [
          { agentId, conversationId },
          { agentId: randomUUID(), conversationId: randomUUID() },
        ].map((links) => tenant.client.post('/api/v1/Task', { title: 'x', ...links })),
      );
      expect(fieldsOf(refusals[0]!)).to.deep.equal(['/agentId', '/conversationId']);
      expect(refusals[0]?.body).to.deep.equal(refusals[1]?.body);
    });

    it('refuse a conversation of another agent, also when only one of the two changes', async () => {
      const { client } = tenant;
      const [mine, theirs] = [await newAgent(tenant), await newAgent(tenant, 'B')];
      const conversationId = await newConversation(tenant, mine);
      const refused = await client.post('/api/v1/Task', {
        title: 'x',
        agentId: theirs,
        conversationId,
      });
      expect(fieldsOf(refused)).to.deep.equal(['/conversationId']);
      const { id } = taskOf(
        await client.post('/api/v1/Task', { title: 'x', agentId: mine, conversationId }),
      );
      const moved = await client.patch(`/api/v1/Task/${id}`, { agentId: theirs });
      expect(fieldsOf(moved)).to.deep.equal(['/conversationId']);
      const freed = await client.patch(`/api/v1/Task/${id}`, {
        agentId: theirs,
        conversationId: null,
      });
      expect(freed.status).to.equal(200);
    });

    it('outlive both: the conversation becomes null, the deleted agent may stay', async () => {
      const { client } = tenant;
      const agentId = await newAgent(tenant);
      const conversationId = await newConversation(tenant, agentId);
      const { id } = taskOf(
        await client.post('/api/v1/Task', { title: 'x', agentId, conversationId }),
      );
      await client.delete(`/api/v1/Conversation/${conversationId}`);
      await client.delete(`/api/v1/Agent/${agentId}`);
      const after = await client.patch(`/api/v1/Task/${id}`, { title: 'y' });
      expect(after.body).to.deep.include({ title: 'y', agentId, conversationId: null });
      const again = await client.post('/api/v1/Task', { title: 'z', agentId });
      expect(fieldsOf(again)).to.deep.equal(['/agentId']);
    });
  });

  describe('with an externalId', () => {
    const odd = 'CRM/42 %ü?#&..';
    const path = `/api/v1/Task/externalId/${encodeURIComponent(odd)}`;

    it('are created once by POST, in each organization for itself', async () => {
      const other = await api.organization();
      const send = ({ client }: Tenant) =>
        client.post('/api/v1/Task', { title: 'x', externalId: odd });
      expect((await send(tenant)).status).to.equal(201);
      const again = await send(tenant);
      expect([again.status, problemCode(again)]).to.deep.equal([409, 'conflict']);
      expect((await send(other)).status).to.equal(201);
    });

    it('are created or replaced by PUT', async () => {
      const { client } = tenant;
      const created = await client.put(path, { title: 'A', status: 'done' });
      const { id } = taskOf(created);
      expect(created.status).to.equal(201);
      expect(created.headers.get('location')).to.equal(`/api/v1/Task/${id}`);
      expect(taskOf(created)).to.include({ externalId: odd, version: 1 });
      const replaced = await client.put(path, { title: 'B', externalId: odd });
      expect(replaced.status).to.equal(200);
      expect(replaced.headers.get('location')).to.equal(null);
      expect(taskOf(replaced)).to.include({ id, title: 'B', status: 'open', version: 2 });
    });

    it('refuse a body that names another, and one that is taken', async () => {
      const { client } = tenant;
      const refused = await client.put(path, { title: 'A', externalId: 'other' });
      expect(fieldsOf(refused)).to.deep.equal(['/externalId']);
      await client.put(path, { title: 'A' });
      const { id } = taskOf(await client.post('/api/v1/Task', { title: 'B' }));
      const taken = await client.patch(`/api/v1/Task/${id}`, { externalId: odd });
      expect([taken.status, problemCode(taken)]).to.deep.equal([409, 'conflict']);
    });

    it('refuse a path that is too long, blank or no text', async () => {
      for (const bad of ['x'.repeat(256), '%20', '%00', '%ff', '%'])
        expect(
          (await tenant.client.put(`/api/v1/Task/externalId/${bad}`, { title: 'x' })).status,
          bad,
        ).to.equal(400);
      expect((await tenant.client.put('/api/v1/Task/externalId/', {})).status).to.equal(404);
    });

    it('become one task when many create them at once', async () => {
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, i) => tenant.client.put(path, { title: `${i}` })),
      );
      expect(replies.filter(({ status }) => status === 201)).to.have.length(1);
      expect(new Set(replies.map((reply) => taskOf(reply).id)).size).to.equal(1);
      expect(titlesOf(await tenant.client.get('/api/v1/Task'))).to.have.length(1);
    });
  });
});
