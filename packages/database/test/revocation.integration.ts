import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import { findApiKey, findPresentedKey, insertApiKey, revokeApiKey } from '#src/access/api-keys.js';
import { decideToolCall, openApproval } from '#src/calls/approval-decisions.js';
import { startRealtimeSession } from '#src/conversations/realtime-sessions.js';
import { isOpenerUsable, unusableOpeners } from '#src/access/openers.js';
import { cancelRun, runsOfUnusableOpeners } from '#src/access/revocation.js';
import { closeOrganization } from '#src/organizations/organization-deletion.js';
import { insertOrganization } from '#src/organizations/organizations.js';
import { claimRun, findRun, insertRun, renewRun, suspendRun } from '#src/questions/runs.js';
import { claimToolCall, findToolCall } from '#src/calls/tool-calls.js';
import { hashApiKey } from '@parley/protocol';
import { migratedDatabase, type MigratedDatabase } from '@parley/testkit';
import { calledTools, type CalledTools } from './support/called-tools.js';

const wait = { timeoutMs: 60_000, approvers: ['api'], owner: null } as const;

const ends = {
  revoked: (keyId: string) => sql`update api_keys set revoked_at = now() where id = ${keyId}`,
  expired: (keyId: string) => sql`update api_keys set expires_at = now() where id = ${keyId}`,
};

const actor = { kind: 'system', name: 'test' } as const;

describe('the API keys of a deleted organization', () => {
  let record: MigratedDatabase;
  before(async () => {
    record = await migratedDatabase();
  });
  after(() => record.drop());

  it('are not usable, not even one that was created while it was deleted', async () => {
    const { database } = record;
    const { id, made } = await database.asSystem(async (system) => {
      const { id: organizationId } = await insertOrganization(system, { name: 'Acme' });
      await closeOrganization(system, organizationId, actor);
      return {
        id: organizationId,
        made: await insertApiKey(system, { organizationId, name: 'k' }),
      };
    });
    const keyId = made.record.id;
    const isUsable = await database.inOrganization(id, (scope) => isOpenerUsable(scope, { keyId }));
    expect(isUsable).to.equal(false);
    const unusable = await database.asSystem((system) => unusableOpeners(system, [keyId]));
    expect([...unusable]).to.deep.equal([keyId]);
    const presented = await findPresentedKey(database, hashApiKey(made.key));
    expect(presented?.revokedAt).to.be.instanceOf(Date);
    expect(made.record.revokedAt).to.equal(null);
  });

  it('are revoked when it is deleted again', async () => {
    const kept = await record.database.asSystem(async (system) => {
      const { id: organizationId } = await insertOrganization(system, { name: 'Acme' });
      await closeOrganization(system, organizationId, actor);
      const { record: key } = await insertApiKey(system, { organizationId, name: 'k' });
      await closeOrganization(system, organizationId, actor);
      return findApiKey(system, key.id);
    });
    expect(kept?.revokedAt).to.be.instanceOf(Date);
  });
});

describe('an API key that is not usable any more', () => {
  let tools: CalledTools;
  before(async () => {
    tools = await calledTools();
  });
  after(() => tools.drop());

  const newKey = async (): Promise<string> => {
    const { organizationId } = tools;
    const made = await tools.database.asSystem((system) =>
      insertApiKey(system, { organizationId, name: 'k' }),
    );
    return made.record.id;
  };
  const end = (how: keyof typeof ends, keyId: string) =>
    tools.database.asSystem(({ trx }) => ends[how](keyId).execute(trx));
  const newSession = async (keyId: string): Promise<string> => {
    const { agentId, conversationId } = tools;
    const session = { id: randomUUID(), agentId, conversationId, keyId };
    await tools.work((scope) =>
      startRealtimeSession(scope, { ...session, tokenHash: randomBytes(32) }),
    );
    return session.id;
  };
  const newRun = async (keyId: string | null) => {
    const { agentId, conversationId } = tools;
    const held = { id: randomUUID(), owner: randomUUID() };
    await tools.work((scope) =>
      insertRun(scope, {
        ...{ ...held, agentId, conversationId, keyId, watcher: null, run: {}, leaseMs: 60_000 },
      }),
    );
    return held;
  };

  for (const how of ['revoked', 'expired'] as const)
    it(`is told apart from others once it is ${how}`, async () => {
      const [gone, kept, never] = [await newKey(), await newKey(), randomUUID()];
      await end(how, gone);
      const unusable = await tools.database.asSystem((system) =>
        unusableOpeners(system, [gone, kept, never]),
      );
      expect(unusable).to.deep.equal(new Set([gone, never]));
      for (const [key, usable] of [
        [gone, false],
        [kept, true],
        [never, false],
      ] as const)
        expect(await tools.work((scope) => isOpenerUsable(scope, { keyId: key }))).to.equal(usable);
    });

  for (const how of ['revoked', 'expired'] as const)
    it(`runs no tool of its sessions and questions once it is ${how}, approved or not`, async () => {
      const keyId = await newKey();
      const [sessionId, run] = [await newSession(keyId), await newRun(keyId)];
      const before = await tools.record({ sessionId });
      expect(await tools.work((scope) => claimToolCall(scope, before.id))).to.equal(true);
      const calls = [await tools.record({ sessionId }), await tools.record({ runId: run.id })];
      const approved = calls[1]!.id;
      await tools.work((scope) => openApproval(scope, approved, wait));
      await end(how, keyId);
      await tools.work((scope) =>
        decideToolCall(scope, approved, { approval: 'approved', by: null }),
      );
      for (const { id } of calls)
        expect(await tools.work((scope) => claimToolCall(scope, id))).to.equal(false);
    });

  it('has its questions found, whether somebody is at work on them or they wait', async () => {
    const keyId = await newKey();
    const [running, waiting] = [await newRun(keyId), await newRun(keyId)];
    const others = [await newRun(await newKey()), await newRun(null)];
    await tools.work((scope) => suspendRun(scope, waiting, { run: {}, waitingFor: [] }));
    await tools.database.asSystem((system) => revokeApiKey(system, keyId));
    const found = await tools.database.asSystem((system) => runsOfUnusableOpeners(system, 10));
    const ids = found.map(({ id }) => id);
    expect(ids).to.include.members([running.id, waiting.id]);
    for (const { id } of others) expect(ids).not.to.include(id);
    const claimed = await tools.database.asSystem((system) =>
      claimRun(system, waiting.id, {
        ...{ owner: randomUUID(), leaseMs: 1000, maxOpen: 10, readsVersion: 0 },
      }),
    );
    expect(claimed).to.equal(undefined);
  });

  it('takes a cancelled question from its holder, and cancels what it waits for, once', async () => {
    const run = await newRun(await newKey());
    const [waiting, running, pending] = await Promise.all(
      [1, 2, 3].map(() => tools.record({ runId: run.id })),
    );
    await tools.work((scope) => openApproval(scope, waiting!.id, wait));
    await tools.work((scope) => claimToolCall(scope, running!.id));
    expect(await tools.work((scope) => cancelRun(scope, run.id))).to.equal(true);
    expect(await tools.work((scope) => cancelRun(scope, run.id))).to.equal(false);

    expect(await tools.work((scope) => renewRun(scope, run, 1000))).to.equal(false);
    expect(await tools.work((scope) => findRun(scope, run.id))).to.deep.include({
      state: 'failed',
      failure:
        'The API key that asked this question was revoked or has expired, or the member who did was removed.',
    });
    const results = await Promise.all(
      [waiting, running, pending].map((call) =>
        tools.work((scope) => findToolCall(scope, call!.id)),
      ),
    );
    expect(results.map((call) => [call?.approval, call?.result])).to.deep.equal([
      [
        'cancelled',
        'The question was cancelled before the call was approved. The tool was not run.',
      ],
      [null, 'The question was cancelled while the tool was running. Its outcome is unknown.'],
      [null, 'The question was cancelled before the tool was run.'],
    ]);
    expect(await tools.work((scope) => claimToolCall(scope, pending!.id))).to.equal(false);
  });
});
