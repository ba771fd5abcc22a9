import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { ApprovalDesk } from '@parley/approvals';
import { findApprovals, type ApprovalRecord } from '@parley/database';
import { Conversation } from './support/record.js';
import { done, start, toolsAt, ToolScene, type Data } from './support/tool-scene.js';

const backend = { kind: 'key', id: randomUUID(), name: 'backend' } as const;
const approved = [start, 'approval.waiting', 'approval.approved', done];
const rejected = [start, 'approval.waiting', done];

/** A Redis over which nobody hears anything. */
const deaf = { publish: () => Promise.resolve(0) };

describe('approvals of which Redis has lost its data', () => {
  let scene: ToolScene;
  let desk: ApprovalDesk;
  before(async () => {
    scene = await ToolScene.open();
    desk = scene.stage.desk(deaf);
  });
  after(() => scene.stage.close());
  beforeEach(() => scene.begin());
  afterEach(() => scene.client.leave());

  const wait = async (): Promise<Data> => {
    scene.say('!call pay {"amount":5}');
    return scene.dataOf('approval.waiting');
  };
  const lose = () => scene.stage.stores.redis.flushdb();
  const send = (type: 'approve' | 'reject', callId: string) =>
    scene.client.send({ type: `approval.${type}`, callId });
  const recorded = async (callId: string): Promise<ApprovalRecord> => {
    const { database, organizationId } = scene.stage.stores;
    const found = await database.inOrganization(organizationId, (scope) =>
      findApprovals(scope, callId),
    );
    return found[0]!;
  };
  /** As the api does. */
  const decide = async (callId: string, decision: 'approved' | 'rejected') => {
    const { organizationId } = scene.stage.stores;
    const { id } = await recorded(callId);
    return desk.decide({ id, organizationId }, decision, backend);
  };
  /** What else happens every five seconds. */
  const look = () => scene.running.gateway.reread();
  const isOver = async (callId: string, told: string[]) => {
    expect(await scene.dataOf(done)).to.include({ callId });
    expect(scene.told).to.deep.equal(told);
    const runs = told === approved ? 1 : 0;
    expect(scene.server.calls('/paid')).to.have.length(runs);
    const [call, ...others] = await scene.calls();
    expect(others).to.be.empty;
    expect(call).to.include({ status: runs === 1 ? 1 : 2 });
    return call!.approval;
  };

  it('run when another process approves', async () => {
    const { callId } = await wait();
    await lose();
    expect(await decide(callId, 'approved')).to.equal(true);
    look();
    expect(await isOver(callId, approved)).to.equal('approved');
    expect((await recorded(callId)).decidedBy).to.deep.equal(backend);
  });

  it('run when another process approves after this one has looked', async () => {
    const { callId } = await wait();
    await lose();
    look();
    expect(await decide(callId, 'approved')).to.equal(true);
    look();
    expect(await isOver(callId, approved)).to.equal('approved');
  });

  it('run when the client approves, and nobody else can decide any more', async () => {
    const { callId } = await wait();
    await lose();
    send('approve', callId);
    expect(await isOver(callId, approved)).to.equal('approved');
    expect((await recorded(callId)).decidedBy).to.include({ kind: 'session' });
    expect(await decide(callId, 'rejected')).to.equal(false);
    send('reject', callId);
    const { error } = await scene.client.event('error');
    expect(error).to.include({ code: 'ApprovalNotWaiting' });
  });

  it('do not run when the client rejects', async () => {
    const { callId } = await wait();
    await lose();
    send('reject', callId);
    expect(await isOver(callId, rejected)).to.equal('rejected');
  });

  it('expire at their deadline', async () => {
    await scene.reenter({ REALTIME_APPROVAL_TIMEOUT_SECONDS: 1 });
    const { callId } = await wait();
    await lose();
    const expired = [start, 'approval.waiting', 'approval.expired', done];
    expect(await isOver(callId, expired)).to.equal('expired');
  });

  for (const who of ['the client', 'another process'])
    it(`inside of a sub-agent go on when ${who} approves`, async () => {
      const { stage, server } = scene;
      const expert = await stage.addAgent(toolsAt(server.origin));
      const tool = { kind: 'subagent', name: 'expert', description: 'Knows.', agentId: expert };
      const agentId = await stage.addAgent([tool]);
      await scene.client.leave();
      scene.conversation = await Conversation.start(stage, agentId);
      await scene.enter({ agentId });
      scene.say(`!call expert ${JSON.stringify({ question: '!call pay {"amount":9}' })}`);
      const { callId } = await scene.dataOf('approval.waiting');
      await lose();
      if (who === 'the client') send('approve', callId);
      else await decide(callId, 'approved');
      look();
      await scene.said(/expert returned/);
      expect(scene.told).to.deep.equal([
        ...[start, 'subagent.start', start, 'approval.waiting', 'approval.approved'],
        ...[done, 'subagent.done', done],
      ]);
      expect(server.calls('/paid')).to.have.length(1);
    });

  it('end in one state, whoever decides at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { callId } = await wait();
      await lose();
      const rest = decide(callId, 'rejected');
      send('approve', callId);
      const told = (await rest) ? rejected : approved;
      look();
      expect(await isOver(callId, told)).to.equal(told === approved ? 'approved' : 'rejected');
      await scene.client.leave();
      await scene.begin();
    }
  });
});
