import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { waitFor } from '@parley/testkit';
import { MovingScene } from './support/moving-scene.js';
import { done, start, type Data } from './support/tool-scene.js';

describe('calls that wait while their session moves to another pod', () => {
  let scene: MovingScene;
  before(async () => void (scene = await MovingScene.open()));
  after(() => scene.stage.close());

  it('still wait, until the deadline that they had, and run when the client approves', async () => {
    const leaving = await scene.startPod();
    await scene.begin(leaving);
    const asked = await scene.wait();
    const [waiting] = await scene.calls();
    await scene.drain(leaving);
    const { timeoutSeconds, ...same } = (await scene.again('approval.waiting'))['data'] as Data;
    expect(asked).to.include({ callId: same.callId, messageId: same['messageId'] });
    expect(timeoutSeconds).to.be.within(1, 300);
    const [adopted] = await scene.calls();
    const { session_id, owner } = adopted!;
    expect(adopted).to.deep.equal({ ...waiting, session_id, owner });
    expect([session_id, owner]).to.not.include.oneOf([waiting!.session_id, waiting!.owner]);
    scene.client.say(JSON.stringify({ type: 'approval.approve', callId: asked.callId }));
    await scene.paidOnce();
    expect(scene.told).to.deep.equal([start, 'approval.waiting', 'approval.approved', done]);
    await scene.client.leave();
  });

  it('are decided over REST, and nobody else’s organization can', async () => {
    const leaving = await scene.startPod();
    await scene.begin(leaving);
    const { messageId } = await scene.wait();
    await scene.drain(leaving);
    await scene.again('approval.waiting');
    const { organizationId } = await scene.stage.neighbour();
    const [{ id } = { id: '' }] = await scene.calls();
    const by = { kind: 'key', id: randomUUID(), name: 'neighbour' } as const;
    const decided = await scene.stage.desk().decide({ id, organizationId }, 'approved', by);
    expect(decided).to.equal(false);
    await scene.decide(messageId, 'approved');
    await scene.paidOnce();
    await scene.client.leave();
  });

  it('go on inside of sub-agents, which answer as if nothing had happened', async () => {
    const leaving = await scene.startPod();
    await scene.begin(leaving, await scene.agentOfAgents());
    const asked = await scene.waitInside();
    const before = await scene.calls();
    await scene.drain(leaving);
    const again = (await scene.again('approval.waiting'))['data'] as Data;
    expect(asked).to.include({ callId: again.callId, messageId: again['messageId'] });
    const after = await scene.calls();
    expect(after.map(({ id }) => id)).to.deep.equal(before.map(({ id }) => id));
    expect(new Set(after.map(({ session_id }) => session_id)).size).to.equal(1);
    expect(after[0]!.session_id).to.not.equal(before[0]!.session_id);
    scene.client.say(JSON.stringify({ type: 'approval.approve', callId: asked.callId }));
    await scene.said(/expert returned: .*pay returned: Paid/);
    expect(scene.server.calls('/paid')).to.have.length(1);
    const [waits, goesOn, ends] = [start, 'subagent.start', 'subagent.done'];
    expect(scene.told).to.deep.equal([
      ...[waits, goesOn, waits, goesOn, waits, 'approval.waiting', 'approval.approved'],
      ...[done, ends, done, ends, done],
    ]);
    await waitFor(async () => (await scene.calls()).every(({ status }) => status === 1), {
      what: 'the outcomes',
    });
    await scene.client.leave();
  });

  it('are aborted if they are running, and not run again', async () => {
    const leaving = await scene.startPod();
    await scene.begin(leaving);
    scene.say('!call slow {}');
    await waitFor(() => scene.server.calls('/slow').length === 1, { what: 'the tool' });
    await scene.drain(leaving);
    scene.say('!say Still there.');
    await scene.said(/Still there/);
    expect(scene.told).to.be.empty;
    expect(scene.server.calls('/slow')).to.have.length(1);
    expect((await scene.calls())[0]?.result).to.match(/outcome is unknown/);
    await scene.client.leave();
  });

  it('do not prolong the session: what it lasted before counts', async () => {
    const leaving = await scene.startPod();
    await scene.begin(leaving);
    await scene.conversation.rows(
      "update realtime_sessions set started_at = now() - interval '1 day' where conversation_id = $1",
    );
    await scene.drain(leaving);
    const end = await waitFor(() => scene.client.closes.find(({ code }) => code === 4410), {
      what: 'the end',
    });
    expect(end.reason).to.equal('MaxSessionDuration');
  });
});
