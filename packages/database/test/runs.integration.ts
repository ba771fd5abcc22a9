import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { insertAgent } from '#src/agents/agents.js';
import { insertConversation } from '#src/conversations/conversations.js';
import { insertOrganization } from '#src/organizations/organizations.js';
import { claimToolCall } from '#src/calls/tool-calls.js';
import { finishRun } from '#src/questions/run-endings.js';
import { dueRuns, insertRun, organizationOfRun } from '#src/questions/runs.js';
import { migratedDatabase, plainAgent, type MigratedDatabase } from '@parley/testkit';
import { calledTools, type CalledTools } from './support/called-tools.js';

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

describe('a run that ends', () => {
  let world: CalledTools;
  before(async () => (world = await calledTools()));
  after(() => world.drop());

  /** The results of a call that waits, one that nobody has started, and one that was started. */
  const leftBy = async (state: 'answered' | 'failed', isHeld = true) => {
    const { agentId, conversationId, organizationId } = world;
    const [id, owner] = [randomUUID(), randomUUID()];
    const lease = { id, agentId, conversationId, owner, watcher: null, run: {} };
    await world.work((scope) => insertRun(scope, { ...lease, keyId: null, leaseMs: 60_000 }));
    const calls = [
      await world.waiting({ runId: id }),
      await world.record({ runId: id }),
      await world.record({ runId: id }),
    ];
    await world.work((scope) => claimToolCall(scope, calls[2]!.id));
    const holder = isHeld ? owner : randomUUID();
    const leased = { ...lease, organizationId, owner: holder, takeovers: 0 };
    const end = { state, content: 'Yes.', failure: null, position: Date.now() * 1000 };
    await world.work((scope) => finishRun(scope, leased, end));
    const rows = await Promise.all(calls.map((call) => world.stored(call.id)));
    return rows.map(({ approval, result }) => [approval, result]);
  };
  const notRun = [
    ['cancelled', 'The question ended before the call was approved. The tool was not run.'],
    [null, 'The question ended before the tool was run.'],
  ];

  it('leaves nothing open, if it failed', async () => {
    expect(await leftBy('failed')).to.deep.equal([
      ...notRun,
      [null, 'The question ended while the tool was running. Its outcome is unknown.'],
    ]);
  });

  it('leaves open what was started, if it was answered: the outcome is on its way', async () => {
    expect(await leftBy('answered')).to.deep.equal([...notRun, [null, null]]);
  });

  it('is not ended by one who lost it, nor is what it waits for', async () => {
    const open = [null, null];
    expect(await leftBy('answered', false)).to.deep.equal([['waiting', null], open, open]);
  });
});
