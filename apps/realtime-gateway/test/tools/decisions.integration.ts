import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { connectRedis, createApprovals, type Approvals, type Redis } from '@parley/session-store';
import { tcpProxy, testRedis, waitFor, type TestRedis } from '@parley/testkit';
import { Decisions } from '#src/tools/decisions.js';

const never = 1_000_000;
const user = { kind: 'session', id: randomUUID(), name: 'end user' } as const;

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
    decisions = new Decisions({ approvals, onError: (err) => errors.push(err), rereadMs: never });
    [id, woken] = [randomUUID(), 0];
    errors.length = 0;
  });
  afterEach(() => {
    decisions.close();
    redis.disconnect();
  });

  const open = async (timeoutMs = 60_000) => {
    const ids = { organizationId: randomUUID(), sessionId: randomUUID(), runId: null };
    await approvals.open({ id, ...ids, owner: 'pod', argumentsHash: 'h' }, timeoutMs);
  };
  const isWoken = () => waitFor(() => woken > 0 || undefined, { what: 'the decision' });
  /** The first look is over once something that was asked after it has its answer. */
  const looked = async () => {
    decisions.watch(id, wake);
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
  });

  it('finds a decision that was made before anybody waited', async () => {
    await open();
    await approvals.decide(id, 'approved', null);
    decisions.watch(id, wake);
    await isWoken();
  });

  it('lets an approval expire at its deadline', async () => {
    await open(50);
    decisions.watch(id, wake);
    await isWoken();
    expect(await approvals.read(id)).to.have.property('state', 'expired');
  });

  it('decides, calls back, and decides once', async () => {
    await open();
    await looked();
    expect(await decisions.decide(id, 'approved', user)).to.equal('decided');
    expect(woken).to.equal(1);
    expect(await decisions.decide(id, 'rejected', user)).to.equal('late');
    expect(await approvals.read(id)).to.deep.include({ state: 'approved', by: user });
  });

  it('knows nothing of approvals that are not there', async () => {
    expect(await decisions.decide(id, 'approved', user)).to.equal('late');
    decisions.look(id);
    expect(decisions.waiting).to.equal(0);
  });

  it('tells a Redis that lost its data what still waits', async () => {
    await open();
    await looked();
    const before = await approvals.read(id);
    await server.flush();
    decisions.reread();
    const after = await waitFor(
      async () => {
        const known = await approvals.read(id);
        return known.state === 'unknown' ? undefined : known;
      },
      { what: 'the approval' },
    );
    expect(after).to.have.property('state', 'waiting');
    expect(after).to.have.deep.property('ticket', before.state === 'waiting' && before.ticket);
    expect(woken).to.equal(0);
  });

  it('decides in a Redis that lost its data', async () => {
    await open();
    await looked();
    await server.flush();
    expect(await decisions.decide(id, 'approved', user)).to.equal('decided');
    expect(woken).to.equal(1);
  });

  it('leaves it to the record what Redis never knew', async () => {
    await looked();
    expect(woken).to.equal(0);
    decisions.reread();
    await isWoken();
  });

  it('goes on when Redis does', async () => {
    await open();
    const wire = await tcpProxy({ target: server.url });
    const far = await connectRedis({ url: wire.url, name: 'test' });
    const distant = new Decisions({
      approvals: createApprovals(far),
      onError: (err) => errors.push(err),
      rereadMs: never,
    });
    wire.refuse();
    wire.cut();
    distant.watch(id, wake);
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
