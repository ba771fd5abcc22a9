import { expect } from 'chai';
import { waitFor } from '@parley/testkit';
import { done, start, ToolScene } from './support/tool-scene.js';

describe('tool calls that need approval', () => {
  let scene: ToolScene;
  before(async () => (scene = await ToolScene.open()));
  after(() => scene.stage.close());
  beforeEach(() => scene.begin());
  afterEach(() => scene.client.leave());

  const waiting = async () => {
    scene.say('!call pay {"amount":5}');
    return scene.dataOf('approval.waiting');
  };

  it('run when the client approves', async () => {
    const { callId, messageId, timeoutSeconds } = await waiting();
    expect(await scene.dataOf(start)).to.include({ callId, id: messageId, approvalRequired: true });
    expect(timeoutSeconds).to.equal(300);
    expect(scene.server.requests).to.be.empty;
    scene.client.send({ type: 'approval.approve', callId });
    const approvers = ['client', 'api'];
    expect(await scene.dataOf('approval.approved')).to.deep.equal({ callId, messageId, approvers });
    expect(await scene.dataOf(done)).to.include({ callId, status: 1, text: 'Paid.' });
    expect(scene.told).to.deep.equal([start, 'approval.waiting', 'approval.approved', done]);
    expect(scene.server.calls('/paid')).to.deep.equal([{ path: '/paid', body: { amount: 5 } }]);
    await scene.said(/pay returned: Paid/);
    expect((await scene.calls())[0]).to.include({ status: 1, approval: 'approved' });
  });

  it('do not run when the client rejects', async () => {
    const { callId } = await waiting();
    scene.client.send({ type: 'approval.reject', call_id: callId });
    expect(await scene.dataOf(done)).to.include({ callId, status: 2 });
    await scene.said(/rejected/);
    expect(scene.told).to.deep.equal([start, 'approval.waiting', done]);
    scene.client.send({ type: 'approval.approve', callId });
    const { error } = await scene.client.event('error');
    expect(error).to.include({ code: 'ApprovalNotWaiting' });
    expect(scene.server.requests).to.be.empty;
    expect((await scene.calls())[0]).to.include({ status: 2, approval: 'rejected' });
  });

  it('are spoken of once, with their real result, though the client has answered and asked', async () => {
    const { callId } = await waiting();
    const item = { type: 'function_call_output', call_id: callId, output: 'Unknown tool: pay.' };
    scene.client.send({ type: 'conversation.item.create', event_id: 'mine', item });
    scene.client.send({ type: 'response.create' });
    const { error } = await scene.client.event('error');
    expect(error).to.include({ code: 'FunctionOutputNotAllowed', event_id: 'mine' });
    scene.client.send({ type: 'approval.approve', callId });
    await scene.dataOf(done);
    await scene.client.event('response.output_audio_transcript.done');
    scene.client.send({ type: 'conversation.item.create', item });
    scene.client.send({ type: 'response.create' });
    scene.say('!say That is all.');
    await scene.said(/That is all/);
    expect(scene.names.filter((name) => name === 'response.created')).to.have.length(3);
    expect(JSON.stringify(scene.client.events)).to.not.include('Unknown tool');
  });

  it('run when another process approves', async () => {
    const { messageId } = await waiting();
    await scene.stage.decide(messageId as string, 'approved');
    await scene.dataOf(done);
    expect(scene.told).to.deep.equal([start, 'approval.waiting', 'approval.approved', done]);
    expect(scene.server.calls('/paid')).to.have.length(1);
  });

  it('wait for another process where the client may not decide', async () => {
    scene.say('!call refund {"amount":5}');
    const { callId, messageId, approvers } = await scene.dataOf('approval.waiting');
    expect(approvers).to.deep.equal(['api']);
    for (const type of ['approval.approve', 'approval.reject']) {
      scene.client.send({ type, callId, event_id: type });
      const refused = await scene.client.where(
        (event) => (event['error'] as { event_id?: string } | undefined)?.event_id === type,
      );
      expect(refused['error']).to.include({ code: 'ApproverNotAllowed' });
    }
    expect((await scene.calls())[0]).to.include({ approval: 'waiting' });
    expect(scene.server.requests).to.be.empty;
    await scene.stage.decide(messageId as string, 'approved');
    expect(await scene.dataOf(done)).to.include({ callId, status: 1 });
    expect(scene.server.calls('/paid')).to.have.length(1);
  });

  it('run once, however many decide', async () => {
    const { callId, messageId } = await waiting();
    for (let n = 0; n < 5; n += 1) scene.client.send({ type: 'approval.approve', callId });
    await scene.stage.decide(messageId as string, 'approved').catch(() => undefined);
    await scene.dataOf(done);
    expect(scene.server.calls('/paid')).to.have.length(1);
    expect(scene.told).to.deep.equal([start, 'approval.waiting', 'approval.approved', done]);
  });

  it('expire', async () => {
    await scene.reenter({ REALTIME_APPROVAL_TIMEOUT_SECONDS: 1 });
    const { callId, messageId } = await waiting();
    expect(await scene.dataOf('approval.expired')).to.include({ callId, messageId });
    expect(await scene.dataOf(done)).to.include({ callId, status: 2 });
    await scene.said(/timed out/);
    expect(scene.told).to.deep.equal([start, 'approval.waiting', 'approval.expired', done]);
    expect(scene.server.requests).to.be.empty;
  });

  it('are cancelled with their response', async () => {
    scene.say('!call pay {"amount":5} !delay 60000 !say Never.');
    await scene.dataOf('approval.waiting');
    scene.client.send({ type: 'response.cancel' });
    expect(await scene.dataOf(done)).to.have.property('status', 2);
    expect(scene.told).to.deep.equal([start, 'approval.waiting', done]);
    expect((await scene.calls())[0]).to.include({ status: 2, approval: 'cancelled' });
    scene.say('!say Go on.');
    await scene.said(/Go on/);
    expect(scene.server.requests).to.be.empty;
  });

  it('are cancelled when the session ends', async () => {
    await waiting();
    await scene.client.leave();
    const [call] = await waitFor(
      async () => {
        const rows = await scene.calls();
        return rows[0]?.approval === 'cancelled' ? rows : undefined;
      },
      { what: 'the end of the call' },
    );
    expect(call).to.include({ status: 2 });
    expect(scene.server.requests).to.be.empty;
  });

  it('keep an idle session open while they wait', async () => {
    await scene.reenter({ REALTIME_IDLE_TIMEOUT_SECONDS: 1, REALTIME_APPROVAL_TIMEOUT_SECONDS: 2 });
    await waiting();
    await scene.dataOf('approval.expired');
    expect(await scene.client.closed).to.deep.equal({ code: 4411, reason: 'IdleTimeout' });
  });
});
