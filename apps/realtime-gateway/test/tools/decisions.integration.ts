import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { connectRedis, createApprovals, type Approvals, type Redis } from '@parley/session-store';
import { tcpProxy, testRedis, waitFor, type TestRedis } from '@parley/testkit';
import { Decisions, type DecisionRecord } from '#src/tools/decisions.js';

const never = 1_000_000;
const user = { kind: 'session', id: randomUUID(), name: 'end user' } as const;
const deadline = new Date(Date.now() + 3_600_000);
const ids = { organizationId: randomUUID(), sessionId: randomUUID(), runId: null };
/** Redis knows everything here. */
const record: DecisionRecord = {
  waitingAmong: (waiting) => Promise.resolve(waiting),
  decide: () => Promise.resolve(false),
};

describe('waiting for decisions', () => {
  let server: TestRedis;
  let redis: Redis;
  let approvals: Approvals;
  let decisions: Decisions;
  let id: string;
  let woken: number;
  const errors: unknown[] = [];
  const wake = () => (woken += 1);

  beforeEach(async () => {
    server = await testRedis();
    redis = await connectRedis({ url: server.url, name: 'test' });
    approvals = createApprovals(redis);
    const onError = (err: unknown) => errors.push(err);
    decisions = new Decisions({ approvals, record, onError, rereadMs: never });
    [id, woken] = [randomUUID(), 0];
    errors.length = 0;
  });
  afterEach(() => {
    decisions.close();
    redis.disconnect();
  });

  const open = async (timeoutMs = 60_000) => {
    await approvals.open({ id, ...ids, owner: 'pod', argumentsHash: 'h' }, timeoutMs);
  };
  const isWoken = () => waitFor(() => woken > 0 || undefined, { what: 'the decision' });
  /** The first look is over once something that was asked after it has its answer. */
  const looked = async () => {
    decisions.watch({ id, deadline }, wake);
    await approvals.read(id);
  };

  it('calls back when a hint says that somebody decided', async () => {
    await open();
    await looked();
    await approvals.decide(id, 'rejected', null);
    expect(woken).to.equal(0);
    decisions.look(id);
    decisions.look(id);
    await isWoken();
    await approvals.read(id);
    expect(woken).to.equal(1);
    expect(decisions.waiting).to.equal(0);
  });

  it('finds a decision of which no hint came', async () => {
    await open();
    await looked();
    await approvals.decide(id, 'approved', null);
    decisions.reread();
    await isWoken();
    expect(decisions.waiting).to.equal(0);
  });

  it('finds a decision that was made before anybody waited', async () => {
    await open();
    await approvals.decide(id, 'approved', null);
    decisions.watch({ id, deadline }, wake);
    await isWoken();
    expect(decisions.waiting).to.equal(0);
  });

  it('lets an approval expire at its deadline', async () => {
    await open(50);
    decisions.watch({ id, deadline }, wake);
    await isWoken();
    expect(await approvals.read(id)).to.have.property('state', 'expired');
  });

  it('decides, calls back, and decides once', async () => {
    await open();
    await looked();
    expect(await decisions.decide({ id, ...ids, deadline }, 'approved', user)).to.equal('decided');
    expect(woken).to.equal(1);
    expect(await decisions.decide({ id, ...ids, deadline }, 'rejected', user)).to.equal('late');
    expect(await approvals.read(id)).to.deep.include({ state: 'approved', by: user });
  });

  it('knows nothing of approvals that are not there', async () => {
    expect(await decisions.decide({ id, ...ids, deadline }, 'approved', user)).to.equal('late');
    decisions.look(id);
    expect(decisions.waiting).to.equal(0);
  });

  it('goes on when Redis does', async () => {
    await open();
    const wire = await tcpProxy({ target: server.url });
    const far = await connectRedis({ url: wire.url, name: 'test' });
    const distant = new Decisions({
      approvals: createApprovals(far),
      record,
      onError: (err) => errors.push(err),
      rereadMs: never,
    });
    wire.refuse();
    wire.cut();
    distant.watch({ id, deadline }, wake);
    await waitFor(() => errors[0], { what: 'an error' });
    await approvals.decide(id, 'approved', null);
    expect(woken).to.equal(0);
    wire.heal();
    await waitFor(
      () => {
        distant.reread();
        return woken > 0 || undefined;
      },
      { what: 'the decision' },
    );
    distant.close();
    far.disconnect();
    await wire.stop();
  });
});
