import { expect } from 'chai';
import { sql } from 'kysely';
import type { Conversation } from '@parley/protocol';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { problemCode } from './support/contract-client.js';
import { recordSeed } from './support/record-seed.js';

type Listed = { items: Conversation[]; total: number };

describe('filters of conversations', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  let agentId: string;
  /** Ids by what they are about. */
  const ids: Record<string, string> = {};

  before(async () => {
    api = await startApi();
    tenant = await api.organization();
    agentId = await agentOf(tenant);
    for (const name of ['waiting', 'open', 'asking', 'failed', 'unanswered', 'completed', 'plain'])
      ids[name] = await seed(name);
    await api.database.asSystem(({ trx }) =>
      sql`update conversations set created_at = '2026-01-31T12:00:00Z' where id = ${ids['plain']}`.execute(
        trx,
      ),
    );
  });
  after(() => api.stop());

  const agentOf = async ({ client }: Tenant): Promise<string> =>
    ((await client.post('/api/v1/Agent', { name: 'A' })).body as { id: string }).id;

  const seed = async (name: string): Promise<string> => {
    const record = recordSeed(api.database, tenant.id);
    const conversation = await record.conversation(agentId);
    const { id } = conversation;
    const session = await record.session(conversation);
    const say = (content: string, role: 'user' | 'assistant' | 'tool' = 'user') =>
      record.message(conversation, { position: 1, content, role });
    if (name !== 'open') {
      const endReason = name === 'failed' ? 'ProviderUnavailable' : 'Normal';
      await record.endSession(session, { endReason, closeCode: 1000 });
    }
    if (name === 'completed') {
      await say("My invoice number is 4711-A, she’s O'Brien at https://example.com/pay?x=1");
      await say('Die Straße heißt Ähren\\weg', 'assistant');
      await say('secretive', 'tool');
    }
    if (name === 'plain') await say('An INVOICE, and a number of other things');
    await api.database.asSystem(async ({ trx }) => {
      const run = (state: string) =>
        sql`insert into runs (id, organization_id, agent_id, conversation_id, state)
            values (gen_random_uuid(), ${tenant.id}, ${agentId}, ${id}, ${state})`.execute(trx);
      if (name === 'asking') await run('open');
      if (name === 'unanswered' || name === 'waiting') await run('failed');
      if (name === 'waiting')
        await sql`insert into tool_calls (organization_id, conversation_id, agent_id, call_id, name, arguments, status, approval, deadline)
                  values (${tenant.id}, ${id}, ${agentId}, 'c', 'n', '{}', 3, 'waiting', now())`.execute(
          trx,
        );
    });
    return id;
  };

  const list = async (query: Record<string, string>, { client }: Tenant = tenant) => {
    const reply = await client.get(`/api/v1/Conversation?${new URLSearchParams(query).toString()}`);
    expect(reply.status, JSON.stringify(reply.body)).to.equal(200);
    const { items, total } = reply.body as Listed;
    expect(items.map(({ id }) => id)).to.have.length(total);
    return items;
  };
  const namesOf = async (query: Record<string, string>) =>
    (await list(query))
      .map(({ id }) => Object.keys(ids).find((name) => ids[name] === id) ?? id)
      .toSorted();

  for (const [outcome, names] of [
    ['waiting', ['waiting']],
    ['open', ['asking', 'open']],
    ['failed', ['failed', 'unanswered']],
    ['completed', ['completed', 'plain']],
  ] as const)
    it(`finds those whose outcome is ${outcome}, and tells it`, async () => {
      expect(await namesOf({ Outcome: outcome })).to.deep.equal(names);
      for (const item of await list({ Outcome: outcome })) {
        expect(item.outcome).to.equal(outcome);
        const { body } = await tenant.client.get(`/api/v1/Conversation/${item.id}`);
        expect(body).to.include({ outcome });
      }
    });

  for (const [search, names] of [
    ['invoice', ['completed', 'plain']],
    ['INVOICE number', ['completed', 'plain']],
    ['inv', ['completed', 'plain']],
    ['invoice 4711', ['completed']],
    ["O'Brien", ['completed']],
    ['example.com', ['completed']],
    ['Straße', ['completed']],
    ['Ähren\\weg', ['completed']],
    ['voice', []],
    ['secretive', []],
    ['invoice Straße', []],
    ['!!!', []],
    ["'", []],
    ['\\', []],
    ["zz' | 'invoice", []],
    ['invoice & !number', ['completed', 'plain']],
    [':*', []],
    ['😀', []],
  ] as const)
    it(`searches for ${search}`, async () => {
      expect(await namesOf({ Search: search })).to.deep.equal(names);
    });

  it('finds those that began in a range, and combines all filters', async () => {
    const range = { From: '2026-01-31T12:00:00Z', To: '2026-01-31T12:00:01Z' };
    expect(await namesOf(range)).to.deep.equal(['plain']);
    expect(await namesOf({ ...range, To: range.From })).to.deep.equal([]);
    expect(await namesOf({ From: range.To, Search: 'invoice' })).to.deep.equal(['completed']);
    const everything = { ...range, Search: 'invoice', Outcome: 'completed', AgentId: agentId };
    expect(await namesOf(everything)).to.deep.equal(['plain']);
    expect(await namesOf({ ...everything, AgentId: await agentOf(tenant) })).to.deep.equal([]);
  });

  it('pages through what was found', async () => {
    const page = await tenant.client.get('/api/v1/Conversation?Search=invoice&Offset=1&Limit=1');
    const { items, total } = page.body as Listed;
    expect({ total, ids: items.map(({ id }) => id) }).to.deep.equal({
      total: 2,
      ids: [ids['completed']],
    });
  });

  it('finds nothing of another organization', async () => {
    const stranger = await api.organization();
    expect(await list({ Search: 'invoice' }, stranger)).to.deep.equal([]);
    expect(await list({ Search: tenant.id }, stranger)).to.deep.equal([]);
    for (const outcome of ['waiting', 'open', 'failed', 'completed'])
      expect(await list({ Outcome: outcome }, stranger)).to.deep.equal([]);
  });

  it('records a message that is too long to be searched as a whole', async () => {
    const record = recordSeed(api.database, tenant.id);
    const conversation = await record.conversation(await agentOf(tenant));
    const words = Array.from({ length: 200_000 }, (_, index) => `w${index}`).join(' ');
    await record.message(conversation, { position: 1, content: `unmistakable ${words}` });
    expect(await list({ Search: 'unmistakable' })).to.have.length(1);
  });

  for (const query of [
    'Outcome=lost',
    'From=x',
    `Search=${'a'.repeat(201)}`,
    'Search=%20',
    'Search=%00',
  ])
    it(`refuses ${query.slice(0, 20)}`, async () => {
      const reply = await tenant.client.get(`/api/v1/Conversation?${query}`);
      expect(problemCode(reply)).to.equal('query-invalid');
    });
});
