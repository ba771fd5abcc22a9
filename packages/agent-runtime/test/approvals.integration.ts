import { expect } from 'chai';
import { waitFor } from '@parley/testkit';
import { waitingApprovals, type OpenCall } from '#src/index.js';
import { ended, never, payTool, Stage } from './support/stage.js';

const start = 'response.function_invocation.start';
const done = 'response.function_invocation.done';

describe('a tool call that needs approval', () => {
  let stage: Stage;
  let origin: string;
  before(async () => {
    stage = await Stage.open();
    origin = await stage.listen();
  });
  beforeEach(() => stage.forget());
  after(() => stage.close());

  const approved = async (open: OpenCall) => {
    expect(await stage.decide(open.id, 'approved')).to.equal(true);
  };

  const paid = () => payTool(origin, { approvalRequired: true });
  const waiting = async (more: Parameters<Stage['toolbox']>[2] = {}) => {
    const made = await stage.call(paid(), '{"to":"Ada"}', more);
    return { ...made, open: await made.toolbox.advance(made.open, never) };
  };

  it('waits, and runs once it is approved', async () => {
    const { place, toolbox, open } = await waiting();
    expect(open).to.include({ state: 'waiting' });
    expect(stage.types()).to.deep.equal([start, 'approval.waiting']);
    const { callId, messageId } = open;
    expect(stage.told[0]!.data).to.include({ approvalRequired: true });
    const approvers = ['client', 'api'];
    expect(stage.last()).to.deep.equal({ callId, messageId, timeoutSeconds: 60, approvers });
    const [approval, ...others] = waitingApprovals(open);
    expect(approval).to.deep.include({ id: open.id, callId, messageId, approvers });
    expect(others).to.be.empty;
    expect((await stage.messages(place))[0]!.toolCall).to.include({
      status: 'waiting',
      approval: 'waiting',
    });
    expect(await toolbox.advance(open, never)).to.deep.equal(open);
    await approved(open);
    // As a stored run would have it.
    const stored = JSON.parse(JSON.stringify(open)) as OpenCall;
    const { outcome } = await ended(toolbox.advance(stored, never));
    expect(outcome).to.include({ status: 'succeeded', output: 'ok' });
    expect(stage.types()).to.deep.equal([start, 'approval.waiting', 'approval.approved', done]);
    expect(stage.heard).to.have.length(1);
    expect((await stage.messages(place))[0]!.toolCall).to.include({
      status: 'succeeded',
      approval: 'approved',
    });
  });

  it('runs at most once, however often it is advanced', async () => {
    const { toolbox, open } = await waiting();
    await approved(open);
    const advance = () => ended(toolbox.advance(open, never));
    const ends = await Promise.all(Array.from({ length: 5 }, advance));
    expect(stage.heard).to.have.length(1);
    expect(ends.map(({ outcome }) => outcome!.output)).to.deep.equal(Array(5).fill('ok'));
    expect(stage.types().filter((type) => type === done)).to.have.length(1);
    const again = await toolbox.advance(open, never);
    expect(stage.heard).to.have.length(1);
    expect(again.state).to.equal('finished');
  });

  it('is told as rejected, and not run', async () => {
    const { toolbox, open } = await waiting();
    await stage.decide(open.id, 'rejected');
    const { outcome } = await ended(toolbox.advance(open, never));
    expect(outcome!.output).to.match(/rejected/);
    expect(stage.types()).to.deep.equal([start, 'approval.waiting', done]);
    expect(stage.last()).to.include({ status: 2, executionTimeSeconds: 0 });
    expect(stage.heard).to.deep.equal([]);
  });

  it('expires on PostgreSQL’s clock', async () => {
    const settings = { ...stage.options.settings, REALTIME_APPROVAL_TIMEOUT_SECONDS: 1 };
    const { place, toolbox, open } = await waiting({ settings });
    await waitFor(async () => (await stage.approvals.expire(open.id)).outcome !== 'early', {
      what: 'the deadline',
    });
    const { outcome } = await ended(toolbox.advance(open, never));
    expect(outcome!.output).to.match(/timed out/);
    expect(stage.types()).to.deep.equal([start, 'approval.waiting', 'approval.expired', done]);
    expect((await stage.messages(place))[0]!.toolCall).to.include({
      status: 'failed',
      approval: 'expired',
    });
  });

  it('is cancelled with its session: nobody can approve it any more', async () => {
    const { place, toolbox, open } = await waiting();
    const session = new AbortController();
    session.abort();
    const { state } = await toolbox.advance(open, session.signal);
    expect(state).to.equal('finished');
    expect(await stage.decide(open.id, 'approved')).to.equal(false);
    expect(stage.types()).to.deep.equal([start, 'approval.waiting']);
    expect((await stage.messages(place))[0]!.toolCall).to.include({ approval: 'cancelled' });
  });

  it('does not run with other arguments than those that were approved', async () => {
    const { toolbox, open } = await waiting();
    await approved(open);
    const { outcome } = await ended(toolbox.advance({ ...open, arguments: '{"to":"Eve"}' }, never));
    expect(outcome).to.include({ status: 'failed' });
    expect(outcome!.output).to.match(/not those that were approved/);
    expect(stage.heard).to.deep.equal([]);
  });

  it('fails closed when the approval cannot be opened', async () => {
    const broken = () => Promise.reject(new Error('PostgreSQL is away'));
    const { open } = await waiting({ approvals: { ...stage.options.approvals, open: broken } });
    const { outcome } = await ended(open);
    expect(outcome).to.include({ status: 'failed' });
    expect(outcome!.output).to.match(/could not be requested/);
    expect(stage.types()).to.deep.equal([start, done]);
    expect(await stage.decide(open.id, 'approved')).to.equal(false);
  });

  it('that is gone from the record ends as cancelled', async () => {
    const { place, toolbox, open } = await waiting();
    await stage.options.database.inOrganization(place.organizationId, ({ trx }) =>
      trx.deleteFrom('toolCalls').where('id', '=', open.id).execute(),
    );
    const { outcome } = await ended(toolbox.advance(open, never));
    expect(outcome!.output).to.match(/cancelled/);
    expect(stage.heard).to.deep.equal([]);
  });
});
