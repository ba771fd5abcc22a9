import { expect } from 'chai';
import { sql } from 'kysely';
import type { UsageReport } from '@parley/protocol';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { problemCode } from './support/contract-client.js';
import { recordSeed } from './support/record-seed.js';

const approved = { approval: 'approved', deadline: new Date() } as const;

describe('GET /Usage', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  let agentId: string;

  before(async () => {
    api = await startApi({ quotas: { QUOTA_TOKENS_PER_DAY: 777 } });
    tenant = await api.organization();
    agentId = await agentOf(tenant);
    await seed(tenant, agentId);
  });
  after(() => api.stop());

  const agentOf = async ({ client }: Tenant): Promise<string> =>
    ((await client.post('/api/v1/Agent', { name: 'A' })).body as { id: string }).id;

  const usage = async (query: string, { client }: Tenant = tenant): Promise<UsageReport> => {
    const reply = await client.get(`/api/v1/Usage?${query}`);
    expect(reply.status, JSON.stringify(reply.body)).to.equal(200);
    return reply.body as UsageReport;
  };

  /** Two sessions, one of which was lost, a failed question, calls and tokens, all on the last of January 2026. */
  const seed = async ({ id }: Tenant, agent: string): Promise<void> => {
    const record = recordSeed(api.database, id);
    const conversation = await record.conversation(agent);
    const first = await record.session(conversation);
    const second = await record.session(conversation);
    await record.endSession(first, { endReason: 'Normal', closeCode: 1000 });
    await record.endSession(second, { endReason: 'ProviderUnavailable', closeCode: 4502 });
    const tokens = { inputTextTokens: 10, inputAudioTokens: 5, outputAudioTokens: 7 };
    await record.usage(conversation, {
      ...{ sessionId: first, source: 'response', model: 'm' },
      ...tokens,
    });
    const messageId = await record.message(conversation, { position: 1, role: 'tool' });
    const call = {
      ...{ messageId, sessionId: first, runId: null, name: 'n', arguments: {}, result: null },
      ...{ decidedBy: null, decidedAt: null, executionMs: null, createdAt: new Date() },
      ...{ approval: null, deadline: null, startedAt: null, finishedAt: null },
    };
    const calls = [
      { ...call, callId: '1', status: 'succeeded' as const, ...approved, startedAt: new Date() },
      { ...call, callId: '2', status: 'failed' as const, startedAt: new Date() },
      {
        ...call,
        callId: '3',
        status: 'failed' as const,
        ...approved,
        approval: 'rejected' as const,
      },
    ];
    for (const one of calls) await record.toolCall(conversation, one);
    await api.database.asSystem(async ({ trx }) => {
      await sql`insert into runs (id, organization_id, agent_id, conversation_id, state)
                values (gen_random_uuid(), ${id}, ${agent}, ${conversation.id}, 'failed')`.execute(
        trx,
      );
      const at = sql`'2026-01-31T10:30:00Z'`;
      await sql`update realtime_sessions set started_at = ${at}, ended_at = '2026-01-31T10:31:30Z'
                where organization_id = ${id}`.execute(trx);
      for (const table of ['runs', 'tool_calls', 'usage_records'])
        await sql`update ${sql.ref(table)} set created_at = ${at} where organization_id = ${id}`.execute(
          trx,
        );
    });
  };

  const nothing = {
    ...{ sessions: 0, minutes: 0, tokensIn: 0, tokensOut: 0, toolCalls: 0, errors: 0 },
    approvals: { approved: 0, rejected: 0, expired: 0, cancelled: 0 },
  };
  const everything = {
    ...{ sessions: 2, minutes: 3, tokensIn: 15, tokensOut: 7, toolCalls: 3, errors: 3 },
    approvals: { approved: 1, rejected: 1, expired: 0, cancelled: 0 },
  };

  it('counts by days of UTC, days of nothing included', async () => {
    const { items } = await usage('From=2026-01-30T12:00:00Z&To=2026-02-01T12:00:00Z');
    expect(items).to.deep.equal([
      { from: '2026-01-30T00:00:00.000Z', ...nothing },
      { from: '2026-01-31T00:00:00.000Z', ...everything },
      { from: '2026-02-01T00:00:00.000Z', ...nothing },
    ]);
  });

  it('counts by hours', async () => {
    const range = 'Interval=hour&From=2026-01-31T09:00:00Z&To=2026-01-31T12:00:00Z';
    const { items } = await usage(range);
    expect(items).to.deep.equal([
      { from: '2026-01-31T09:00:00.000Z', ...nothing },
      { from: '2026-01-31T10:00:00.000Z', ...everything },
      { from: '2026-01-31T11:00:00.000Z', ...nothing },
    ]);
  });

  it('counts one agent alone', async () => {
    const range = 'From=2026-01-31T00:00:00Z&To=2026-02-01T00:00:00Z';
    const [all] = (await usage(`${range}&AgentId=${agentId}`)).items;
    expect(all).to.deep.include(everything);
    const [none] = (await usage(`${range}&AgentId=${await agentOf(tenant)}`)).items;
    expect(none).to.deep.include(nothing);
  });

  it('tells each quota, and what is used of it', async () => {
    const { quotas, items } = await usage('');
    expect(items).to.have.length(31);
    expect(quotas).to.deep.include({ name: 'tokensPerDay', limit: 777, used: 0 });
    expect(quotas.find(({ name }) => name === 'fileBytes')).to.include({ used: 0 });
    expect(quotas.find(({ name }) => name === 'mcpServersPerAgent')).to.include({ used: null });
  });

  it('shows another organization nothing of it', async () => {
    const stranger = await api.organization();
    const range = 'From=2026-01-31T00:00:00Z&To=2026-02-01T00:00:00Z';
    for (const query of [range, `${range}&AgentId=${agentId}`])
      expect((await usage(query, stranger)).items[0]).to.deep.include(nothing);
  });

  for (const query of [
    'From=2030-01-02T00:00:00Z&To=2030-01-01T00:00:00Z',
    'Interval=hour&From=2020-01-01T00:00:00Z&To=2030-01-01T00:00:00Z',
    'From=0000-01-01T00:00:00Z',
    'Interval=week',
    'From=yesterday',
    'AgentId=x',
    'Offset=1',
  ])
    it(`refuses ${query}`, async () => {
      const reply = await tenant.client.get(`/api/v1/Usage?${query}`);
      expect(problemCode(reply)).to.equal('query-invalid');
    });

  it('is refused to a key without the scope', async () => {
    const { client } = await api.organization({ scopes: ['agents'] });
    expect(problemCode(await client.get('/api/v1/Usage'))).to.equal('scope-missing');
  });
});
