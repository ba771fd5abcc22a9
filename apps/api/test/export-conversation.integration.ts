import { expect } from 'chai';
import type { ConversationRecord } from '@parley/database';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { problemCode } from './support/contract-client.js';
import { recordSeed } from './support/record-seed.js';
import { callsOf } from './support/waiting-calls.js';

type Exported = {
  conversation: { id: string; messageCount: number; sessions: object[] };
  messages: { content: string }[];
  approvals: { id: string }[];
  tasks: { id: string }[];
  files: { name: string }[];
};

describe('the export of a conversation over REST', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  let conversation: ConversationRecord;

  before(async () => {
    api = await startApi();
    tenant = await api.organization();
    const agent = await tenant.client.post('/api/v1/Agent', { name: 'A' });
    const seed = recordSeed(api.database, tenant.id);
    conversation = await seed.conversation((agent.body as { id: string }).id);
  });
  after(() => api.stop());

  const path = () => `/api/v1/Conversation/${conversation.id}/export`;

  it('has everything, in spoken order, however many batches it takes', async () => {
    const seed = recordSeed(api.database, tenant.id);
    const positions = Array.from({ length: 250 }, (_, n) => ((n * 7) % 250) + 1);
    for (const position of positions)
      await seed.message(conversation, { position, content: `m${position}` });
    const wait = callsOf(api, tenant);
    const calls = [await wait(conversation), await wait(conversation)];
    const task = { title: 'T', conversationId: conversation.id };
    const { body: made } = await tenant.client.post('/api/v1/Task', task);
    await tenant.client.post('/api/v1/Task', { title: 'Another' });

    const reply = await tenant.client.get(path());
    expect(reply.status).to.equal(200);
    const exported = reply.body as Exported;
    expect(exported.conversation).to.include({ id: conversation.id, messageCount: 252 });
    expect(exported.conversation.sessions).to.have.length(2);
    const said = exported.messages.map(({ content }) => content).filter(Boolean);
    expect(said).to.deep.equal(Array.from({ length: 250 }, (_, n) => `m${n + 1}`));
    expect(exported.approvals.map(({ id }) => id)).to.have.members(calls.map(({ id }) => id));
    expect(exported.tasks.map(({ id }) => id)).to.deep.equal([(made as { id: string }).id]);
    expect(exported.files).to.deep.equal([]);
  });

  it('is not there for another organization', async () => {
    const other = await api.organization();
    const refused = await other.client.get(path());
    expect(refused.status).to.equal(404);
    expect(problemCode(refused)).to.equal('not-found');
  });

  it('needs every scope whose resources it shows', async () => {
    for (const lacking of ['conversations', 'approvals', 'tasks'] as const) {
      const scopes = (['conversations', 'approvals', 'tasks'] as const).filter(
        (scope) => scope !== lacking,
      );
      const { client } = await api.organization({ scopes });
      const refused = await client.get(path());
      expect(refused.status, lacking).to.equal(403);
      expect(problemCode(refused)).to.equal('scope-missing');
    }
  });
});
