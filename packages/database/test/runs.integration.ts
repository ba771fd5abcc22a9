import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { insertAgent } from '#src/agents/agents.js';
import { insertConversation } from '#src/conversations/conversations.js';
import { insertOrganization } from '#src/organizations/organizations.js';
import { dueRuns, insertRun, organizationOfRun } from '#src/questions/runs.js';
import { migratedDatabase, plainAgent, type MigratedDatabase } from '@parley/testkit';

describe('runs that are due', () => {
  let target: MigratedDatabase;
  before(async () => (target = await migratedDatabase()));
  after(() => target.drop());

  /** An organization with so many runs whose process died. */
  const abandoned = async (count: number) => {
    const { database } = target;
    const { id: organizationId } = await database.asSystem((system) =>
      insertOrganization(system, { name: 'A' }),
    );
    await database.inOrganization(organizationId, async (scope) => {
      const agentId = await insertAgent(scope, plainAgent);
      const { id: conversationId } = await insertConversation(scope, agentId);
      for (let n = 0; n < count; n += 1)
        await insertRun(scope, {
          ...{ id: randomUUID(), agentId, conversationId, run: {}, watcher: null, keyId: null },
          ...{ owner: randomUUID(), leaseMs: -1000 },
        });
    });
    return organizationId;
  };

  it('are found of every organization in turn, however many one has', async () => {
    const many = await abandoned(30);
    const few = await abandoned(2);
    const owners = await target.database.asSystem(async (system) => {
      const ids = await dueRuns(system, 6);
      return Promise.all(ids.map((id) => organizationOfRun(system, id)));
    });
    expect(owners.filter((owner) => owner === few)).to.have.length(2);
    expect(owners.filter((owner) => owner === many)).to.have.length(4);
  });
});
