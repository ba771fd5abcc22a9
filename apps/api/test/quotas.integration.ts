import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { insertConversation, insertUsage, quotaUse, setQuotas } from '@parley/database';
import { createLiveSessions } from '@parley/session-store';
import { waitFor } from '@parley/testkit';
import type { Reply } from './support/contract-client.js';
import type { Tenant } from './support/api-under-test.js';
import { overheard } from './support/openai-client.js';
import { QuestionStage } from './support/question-stage.js';
import { upload } from './support/upload.js';

const expectRefusal = ({ status, headers, body }: Reply, quota: string) => {
  expect(body).to.include({ type: '/docs/errors#quota-reached', status: 429, quota });
  expect(status).to.equal(429);
  expect(Number(headers.get('retry-after'))).to.be.within(1, 86_400);
};

describe('quotas of an organization', () => {
  let stage: QuestionStage;
  before(async () => {
    stage = await QuestionStage.open({
      quotas: { QUOTA_QUESTIONS: 2, QUOTA_FILE_BYTES: 100, QUOTA_MCP_SERVERS_PER_AGENT: 1 },
    });
  });
  after(() => stage.close());

  const agentOf = async ({ client }: Tenant) =>
    ((await client.post('/api/v1/Agent', { name: 'A' })).body as { id: string }).id;
  const ask = ({ client }: Tenant, agentId: string, question: string) =>
    client.post(`/api/v1/Agent/${agentId}/question`, { question });
  const createSession = ({ client }: Tenant, agentId: string) =>
    client.post(`/api/v1/Agent/${agentId}/realtime-session`);
  const refusals = async (quota: string) => {
    const text = await stage.api.metrics.registry.metrics();
    const line = new RegExp(`^parley_quota_refusals_total\\{quota="${quota}".*\\} (\\d+)$`, 'm');
    return Number(line.exec(text)?.[1]);
  };
  const spend = async ({ id: organizationId }: Tenant, agentId: string, tokens: number) => {
    await stage.api.database.inOrganization(organizationId, async (scope) => {
      const { id: conversationId } = await insertConversation(scope, agentId);
      const runId = randomUUID();
      await scope.trx
        .insertInto('runs')
        .values({ id: runId, organizationId, agentId, conversationId, state: 'answered' } as never)
        .execute();
      const record = {
        ...{ conversationId, sessionId: null, runId, source: 'response' as const, model: 'm' },
        ...{ sourceId: randomUUID(), inputTextTokens: tokens, inputAudioTokens: 0 },
        ...{ inputCachedTokens: 0, outputTextTokens: 0, outputAudioTokens: 0, seconds: 0 },
      };
      await insertUsage(scope, [record]);
      // What is told twice counts once.
      await insertUsage(scope, [record]);
    });
  };
  const override = (tenant: Tenant, quota: 'tokensPerDay' | 'realtimeSessions', value: number) =>
    stage.api.database.asSystem((system) =>
      setQuotas(system, tenant.id, new Map([[quota, value]])),
    );

  it('let so many questions be answered at a time, and count none that is over or whose process died', async () => {
    const { tenant } = stage;
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { connectionId } = await overheard(stage, () => held);
    const agentId = await stage.agent([], { connectionId });
    const before = await refusals('questions');
    const refused: Reply[] = [];
    const asked = Array.from({ length: 6 }, async () => {
      const reply = await ask(tenant, agentId, '!say Done');
      if (reply.status !== 200) refused.push(reply);
    });
    await waitFor(() => refused.length === 4, { what: 'four refusals' });
    release();
    await Promise.all(asked);
    expect(refused).to.have.length(4);
    for (const reply of refused) expectRefusal(reply, 'questions');
    expect((await refusals('questions')) - before).to.equal(4);
    const hang = async () => {
      const { id: organizationId } = tenant;
      await stage.api.database.inOrganization(organizationId, async (scope) => {
        const { id: conversationId } = await insertConversation(scope, agentId);
        const lapsed = new Date(Date.now() - 1000);
        const run = { id: randomUUID(), organizationId, agentId, conversationId };
        await scope.trx
          .insertInto('runs')
          .values({ ...run, state: 'open', leaseUntil: lapsed } as never)
          .execute();
      });
    };
    await hang();
    await hang();
    expect((await ask(tenant, agentId, '!say Again')).status).to.equal(200);
  });

  it('keep so many bytes of files, also when they come at once, and make room for what is deleted', async () => {
    const tenant = await stage.api.organization();
    const file = { content: 'x'.repeat(40) };
    const replies = await Promise.all(Array.from({ length: 5 }, () => upload(tenant, file)));
    const kept = replies.filter(({ status }) => status === 201);
    expect(kept).to.have.length(2);
    for (const reply of replies) if (reply.status !== 201) expectRefusal(reply, 'fileBytes');
    const { id } = kept[0]!.body as { id: string };
    expect((await tenant.client.delete(`/api/v1/TemporaryFile/${id}`)).status).to.equal(204);
    expect((await upload(tenant, file)).status).to.equal(201);
    expect((await upload(await stage.api.organization(), file)).status).to.equal(201);
  });

  it('end with the tokens of the day, for questions and sessions, whatever is deleted', async () => {
    const tenant = await stage.api.organization();
    const agentId = await agentOf(tenant);
    await override(tenant, 'tokensPerDay', 1000);
    await spend(tenant, agentId, 999);
    expect((await createSession(tenant, agentId)).status).to.equal(200);
    await spend(tenant, agentId, 1);
    const { items } = (await tenant.client.get('/api/v1/Conversation')).body as {
      items: { id: string }[];
    };
    for (const { id } of items) await tenant.client.delete(`/api/v1/Conversation/${id}`);
    expectRefusal(await createSession(tenant, agentId), 'tokensPerDay');
    expectRefusal(await ask(tenant, agentId, '!say No'), 'tokensPerDay');
    const used = await stage.api.database.inOrganization(tenant.id, quotaUse.tokensPerDay);
    expect(used).to.equal(1000);
    await override(tenant, 'tokensPerDay', 5000);
    expect((await createSession(tenant, agentId)).status).to.equal(200);
  });

  it('let so many sessions be open, by the pods that are heard of', async () => {
    const tenant = await stage.api.organization();
    const agentId = await agentOf(tenant);
    await override(tenant, 'realtimeSessions', 1);
    const live = createLiveSessions(stage.api.redis);
    const session = {
      ...{ id: randomUUID(), organizationId: tenant.id, agentId, conversationId: randomUUID() },
      ...{ pod: 'pod', startedAt: new Date().toISOString() },
    };
    await live.beat('pod', [session]);
    expectRefusal(await createSession(tenant, agentId), 'realtimeSessions');
    await live.forget(session);
    expect((await createSession(tenant, agentId)).status).to.equal(200);
  });

  it('let an agent have so many MCP servers', async () => {
    const { client } = await stage.api.organization();
    const server = (n: number) => ({
      ...{ kind: 'mcp', name: `server${n}`, serverUrl: `https://mcp.example.com/${n}` },
    });
    const made = await client.post('/api/v1/Agent', { name: 'A', tools: [server(1)] });
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
    const { id } = made.body as { id: string };
    const two = { name: 'A', tools: [server(1), server(2)] };
    expectRefusal(await client.post('/api/v1/Agent', two), 'mcpServersPerAgent');
    expectRefusal(await client.put(`/api/v1/Agent/${id}`, two), 'mcpServersPerAgent');
    expectRefusal(await client.patch(`/api/v1/Agent/${id}`, two), 'mcpServersPerAgent');
    expect((await client.patch(`/api/v1/Agent/${id}`, { name: 'B' })).status).to.equal(200);
  });
});
