import { expect } from 'chai';
import { Playing } from './playing.js';

const start = {
  data: {
    callId: 'c1',
    functionName: 'pay',
    title: 'Pay',
    imageUrl: null,
    arguments: { to: 'Ada' },
    approvalRequired: true,
  },
};
const waits = {
  data: { callId: 'c1', messageId: 'm1', timeoutSeconds: 60, approvers: ['client', 'api'] },
};
const done = (status: number) => ({
  data: {
    callId: 'c1',
    status,
    text: 'ok',
    title: 'Pay',
    buttonLabel: 'See',
    buttonLink: 'https://example.com/1',
  },
});

const waiting = () =>
  new Playing().hear('response.function_invocation.start', start).hear('approval.waiting', waits);

describe('an approval', () => {
  it('waits until its deadline, and names the call', () => {
    const { core, effects } = waiting();
    expect(core.approvals[0]).to.include({
      callId: 'c1',
      state: 'waiting',
      decidable: true,
      deadline: 61_000,
    });
    expect(core.calls[0]).to.include({
      name: 'pay',
      title: 'Pay',
      state: 'waiting',
      origin: 'service',
    });
    expect(effects).to.deep.equal([
      { kind: 'told', what: 'tool', id: 'c1' },
      { kind: 'told', what: 'approval', id: 'c1' },
    ]);
  });

  it('that is given lets the tool run', () => {
    const playing = waiting().take({ kind: 'decide', callId: 'c1', approve: true });
    expect(playing.sent).to.deep.equal([{ type: 'approval.approve', callId: 'c1' }]);
    expect(playing.core.approvals[0]!.state).to.equal('waiting');
    playing.hear('approval.approved', waits);
    expect(playing.core.approvals[0]!.state).to.equal('approved');
    expect(playing.core.calls[0]!.state).to.equal('running');
    playing.hear('response.function_invocation.done', done(1));
    expect(playing.core.calls[0]).to.deep.include({
      state: 'done',
      output: 'ok',
      link: { label: 'See', url: 'https://example.com/1' },
    });
    expect(playing.core.approvals[0]!.state).to.equal('approved');
  });

  it('that is refused here is rejected once the service says so', () => {
    const playing = waiting().take({ kind: 'decide', callId: 'c1', approve: false });
    expect(playing.sent).to.deep.equal([{ type: 'approval.reject', callId: 'c1' }]);
    playing.hear('response.function_invocation.done', done(2));
    expect(playing.core.approvals[0]!.state).to.equal('rejected');
    expect(playing.core.calls[0]!.state).to.equal('failed');
  });

  it('goes with the response that it belongs to', () => {
    const playing = waiting().ends('r1', 'cancelled');
    playing.hear('response.function_invocation.done', done(2));
    expect(playing.core.approvals[0]!.state).to.equal('cancelled');
  });

  it('expires', () => {
    const playing = waiting()
      .hear('approval.expired', waits)
      .hear('response.function_invocation.done', done(2));
    expect(playing.core.approvals[0]!.state).to.equal('expired');
  });

  it('is not the client’s where its approvers do not include it', () => {
    const playing = waiting().hear('approval.waiting', {
      data: { ...waits.data, approvers: ['api'] },
    });
    expect(playing.core.approvals).to.have.length(1);
    expect(playing.core.approvals[0]!.decidable).to.equal(false);
  });

  it('ends with its connection', () => {
    expect(waiting().take({ kind: 'lost' }).core.approvals[0]!.state).to.equal('cancelled');
  });
});
