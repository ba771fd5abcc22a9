import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import { insertConversation } from '@parley/database';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';

type Item = { id: string };
type Page = { items: Item[]; total: number; offset: number; limit: number };

/** More than a batch, and hardly compressible. */
const longText = () => randomBytes(150_000).toString('base64');

describe('a page of items that are too long to be read at once', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  let agentIds: string[];

  before(async () => {
    api = await startApi();
    tenant = await api.organization();
    agentIds = [];
    for (let n = 0; n < 5; n += 1) agentIds.push(await createAgent(n % 2 === 0));
  });
  after(() => api.stop());

  const createAgent = async (isLong: boolean): Promise<string> => {
    const tools = Array.from({ length: isLong ? 5 : 0 }, (_, n) => ({
      kind: 'http',
      name: `tool_${n}`,
      description: 'Long',
      method: 'POST',
      url: 'https://example.com/',
      body: longText().slice(0, 65_000),
    }));
    const { body } = await tenant.client.post('/api/v1/Agent', { name: 'Long', tools });
    return (body as Item).id;
  };
  const pageAt = async (path: string) => (await tenant.client.get(path)).body as Page;

  it('has all agents as they are read one by one', async () => {
    const agents = await Promise.all(
      agentIds.map(async (id) => (await tenant.client.get(`/api/v1/Agent/${id}`)).body),
    );
    const first = await pageAt('/api/v1/Agent');
    expect(first).to.deep.equal({ items: agents, total: 5, offset: 0, limit: 50 });
    const last = await pageAt('/api/v1/Agent?Offset=2&Limit=3');
    expect(last).to.deep.equal({ items: agents.slice(2), total: 5, offset: 2, limit: 3 });
  });

  it('has all audit records, in order', async () => {
    const { items, total } = await pageAt('/api/v1/AuditLog?Action=agent.created');
    expect(total).to.equal(5);
    expect(items.map((item) => (item as Item & { resourceId: string }).resourceId)).to.deep.equal(
      agentIds,
    );
  });

  it('has all messages and their tool calls, and so has an export', async () => {
    const agentId = agentIds[0]!;
    const { id } = await api.database.inOrganization(tenant.id, (scope) =>
      insertConversation(scope, agentId),
    );
    await api.database.asSystem(async ({ trx }) => {
      for (let n = 1; n <= 6; n += 1)
        await sql`insert into messages (organization_id, conversation_id, position, role, content, status)
          values (${tenant.id}, ${id}, ${n}, 'user', ${longText()}, 'completed')`.execute(trx);
    });
    const path = `/api/v1/Conversation/${id}`;
    const { items, total } = await pageAt(`${path}/message`);
    expect([items.length, total]).to.deep.equal([6, 6]);
    const { body } = await tenant.client.get(`${path}/export`);
    expect((body as { messages: unknown }).messages).to.deep.equal(items);
  });

  it('has all tasks', async () => {
    for (let n = 0; n < 40; n += 1)
      await tenant.client.post('/api/v1/Task', {
        title: `Task ${n}`,
        description: longText().slice(0, 20_000),
      });
    const { items } = await pageAt('/api/v1/Task');
    expect(items.map((item) => (item as Item & { title: string }).title)).to.deep.equal(
      Array.from({ length: 40 }, (_, n) => `Task ${n}`),
    );
  });

  it('announces its media type, and no length', async () => {
    const { status, headers } = await tenant.client.get('/api/v1/Agent');
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.equal('application/json; charset=utf-8');
    expect(headers.get('content-length')).to.equal(null);
  });
});
