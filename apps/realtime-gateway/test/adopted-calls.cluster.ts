import { expect } from 'chai';
import { waitFor } from '@parley/testkit';
import { MovingScene } from './support/moving-scene.js';
import { done, start } from './support/tool-scene.js';

describe('calls of a session whose pod is gone', function () {
  this.timeout(120_000);
  let scene: MovingScene;
  before(async () => void (scene = await MovingScene.open()));
  after(() => scene.stage.close());

  it('run if somebody approves them before the client is back', async () => {
    const doomed = await scene.startProcess();
    await scene.begin(doomed);
    const { messageId } = await scene.wait();
    await doomed.stop('SIGKILL');
    await scene.decide(messageId, 'approved');
    await scene.move();
    await scene.paidOnce();
    expect(scene.told).to.deep.equal([start, 'approval.waiting', 'approval.approved', done]);
    await scene.client.leave();
  });

  it('are told to the model as rejected if somebody rejects them before', async () => {
    const doomed = await scene.startProcess();
    await scene.begin(doomed);
    const { messageId } = await scene.wait();
    await doomed.stop('SIGKILL');
    await scene.decide(messageId, 'rejected');
    await scene.move();
    await scene.said(/pay returned/);
    expect(scene.server.calls('/paid')).to.be.empty;
    expect(await scene.calls()).to.have.length(1);
    await scene.client.leave();
  });

  it('go on inside of sub-agents if somebody approves them before the client is back', async () => {
    const doomed = await scene.startProcess();
    await scene.begin(doomed, await scene.agentOfAgents());
    const { messageId } = await scene.waitInside();
    await waitFor(async () => (await scene.calls())[0]?.suspended, { what: 'what is kept' });
    await doomed.stop('SIGKILL');
    await scene.decide(messageId, 'approved');
    await scene.move();
    await scene.said(/expert returned: .*pay returned: Paid/);
    expect(scene.server.calls('/paid')).to.have.length(1);
    expect(await scene.calls()).to.have.length(3);
    await scene.client.leave();
  });

  it('have an unknown outcome if they were claimed, inside of a sub-agent, too', async () => {
    const doomed = await scene.startProcess();
    await scene.begin(doomed, await scene.agentOfAgents());
    const ask = (question: string) => `!call expert ${JSON.stringify({ question })}`;
    scene.say(ask(ask('!call slow {}')));
    await waitFor(() => scene.server.calls('/slow').length === 1, { what: 'the tool' });
    await doomed.stop('SIGKILL');
    await scene.move();
    scene.say('!say Still there.');
    await scene.said(/Still there/);
    expect(scene.server.calls('/slow')).to.have.length(1);
    for (const { result } of await scene.calls()) expect(result).to.match(/outcome is unknown/);
    await scene.client.leave();
  });

  it('have an unknown outcome if they were claimed, and do not run again', async () => {
    const doomed = await scene.startProcess();
    await scene.begin(doomed);
    scene.say('!call slow {}');
    await waitFor(() => scene.server.calls('/slow').length === 1, { what: 'the tool' });
    await doomed.stop('SIGKILL');
    await scene.move();
    scene.say('!say Still there.');
    await scene.said(/Still there/);
    expect(scene.told).to.be.empty;
    expect(scene.server.calls('/slow')).to.have.length(1);
    expect((await scene.calls())[0]?.result).to.match(/outcome is unknown/);
    await scene.client.leave();
  });

  it('are not touched by a pod that was only frozen', async () => {
    const frozen = await scene.startProcess();
    await scene.begin(frozen);
    const { messageId } = await scene.wait();
    frozen.freeze();
    await scene.move();
    await scene.again('approval.waiting');
    frozen.thaw();
    await waitFor(() => frozen.output.includes('"msg":"session ended"'), {
      what: 'the end in the pod that was frozen',
      timeoutMs: 60_000,
    });
    await frozen.stop('SIGTERM');
    expect((await scene.calls())[0]).to.include({ approval: 'waiting' });
    await scene.decide(messageId, 'approved');
    await scene.paidOnce();
    await scene.client.leave();
  });
});
