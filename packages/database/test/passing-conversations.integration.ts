import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { insertAgent } from '#src/agents/agents.js';
import {
  findConversation,
  insertConversation,
  listConversations,
} from '#src/conversations/conversations.js';
import { insertMessages } from '#src/conversations/messages.js';
import { insertOrganization } from '#src/organizations/organizations.js';
import {
  forgetWords,
  stalePassingConversations,
} from '#src/conversations/passing-conversations.js';
import { insertRun } from '#src/questions/runs.js';
import type { OrganizationScope } from '#src/postgres/database.js';
import { migratedDatabase, plainAgent, type MigratedDatabase } from '@parley/testkit';

describe('a conversation that nobody keeps', () => {
  let db: MigratedDatabase;
  let organizationId: string;
  let agentId: string;
  let id: string;

  before(async () => {
    db = await migratedDatabase();
    ({ id: organizationId } = await db.database.asSystem((system) =>
      insertOrganization(system, { name: 'O' }),
    ));
    agentId = await inScope((scope) => insertAgent(scope, plainAgent));
  });
  beforeEach(async () => {
    ({ id } = await inScope((scope) => insertConversation(scope, agentId, 'passing')));
  });
  after(() => db.drop());

  const inScope = <T>(work: (scope: OrganizationScope) => Promise<T>, of = organizationId) =>
    db.database.inOrganization(of, work);
  const stale = (seconds = 0) =>
    db.database.asSystem((system) => stalePassingConversations(system, { seconds, limit: 10 }));
  const contents = () =>
    inScope(({ trx }) =>
      trx.selectFrom('messages').select('content').where('conversationId', '=', id).execute(),
    );
  const say = () =>
    inScope((scope) =>
      insertMessages(scope, [
        {
          id: randomUUID(),
          conversationId: id,
          sessionId: null,
          position: 1,
          role: 'assistant',
          content: 'Secret.',
          status: 'completed',
          itemId: null,
          contentIndex: 0,
          interrupted: false,
          audioEndMs: null,
          usage: null,
          createdAt: new Date(),
        },
      ]),
    );

  it('is in no list, and cannot be read', async () => {
    const { items, total } = await inScope((scope) =>
      listConversations(scope, {}, { offset: 0, limit: 10 }),
    );
    expect({ items, total }).to.deep.equal({ items: [], total: 0 });
    expect(await inScope((scope) => findConversation(scope, id))).to.equal(undefined);
  });

  it('loses its words once', async () => {
    await say();
    expect(await contents()).to.deep.equal([{ content: 'Secret.' }]);
    expect(await inScope((scope) => forgetWords(scope, id))).to.equal(true);
    expect(await contents()).to.deep.equal([{ content: '' }]);
    expect(await inScope((scope) => forgetWords(scope, id))).to.equal(false);
  });

  it('keeps the words of those that are kept, and of other organizations', async () => {
    await say();
    const other = await db.database.asSystem((system) =>
      insertOrganization(system, { name: 'Other' }),
    );
    expect(await inScope((scope) => forgetWords(scope, id), other.id)).to.equal(false);
    await inScope(({ trx }) =>
      trx.updateTable('conversations').set({ keeping: 'kept' }).where('id', '=', id).execute(),
    );
    expect(await inScope((scope) => forgetWords(scope, id))).to.equal(false);
    expect(await contents()).to.deep.equal([{ content: 'Secret.' }]);
  });

  it('is stale when nothing goes on in it', async () => {
    const isStale = async (seconds = 0) => (await stale(seconds)).some((one) => one.id === id);
    expect(await isStale()).to.equal(true);
    expect(await isStale(3600)).to.equal(false);
    await inScope((scope) =>
      insertRun(scope, {
        ...{ id: randomUUID(), agentId, conversationId: id, keyId: null, watcher: null },
        ...{ run: {}, owner: randomUUID(), leaseMs: 60_000 },
      }),
    );
    expect(await isStale()).to.equal(false);
  });
});
