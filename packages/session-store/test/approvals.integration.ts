import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { tcpProxy, testRedis, waitFor } from '@parley/testkit';
import { createApprovals, type Approvals, type ApprovalTicket } from '#src/approvals.js';
import { approvalDeadlines, approvalKey } from '#src/keys.js';
import { connectRedis } from '#src/redis-client.js';
import type { Redis } from '#src/topology.js';

const backend = { kind: 'key', id: randomUUID(), name: 'backend „x“' } as const;
const minute = 60_000;
const day = 24 * 60 * minute;

function newTicket(): ApprovalTicket {
  return {
    id: randomUUID(),
    organizationId: randomUUID(),
    sessionId: randomUUID(),
    runId: null,
    owner: 'pod-1',
    argumentsHash: 'abc',
  };
}

describe('approvals', () => {
  let url: string;
  let redis: Redis;
  let approvals: Approvals;
  const clients: Redis[] = [];
  const connect = async (to: string) => {
    const client = await connectRedis({ url: to, name: 'test' });
    clients.push(client);
    return client;
  };

  beforeEach(async () => {
    ({ url } = await testRedis());
    redis = await connect(url);
    approvals = createApprovals(redis);
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.disconnect();
  });

  const open = async (timeoutMs = minute): Promise<ApprovalTicket> => {
    const ticket = newTicket();
    await approvals.open(ticket, timeoutMs);
    return ticket;
  };
  const redisNow = async (): Promise<number> => {
    const [seconds, micros] = await redis.time();
    return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
  };

  it('tell their deadline on Redis’ clock, and keep it when they are opened again', async () => {
    const ticket = newTicket();
    const before = await redisNow();
    const deadline = await approvals.open(ticket, minute);
    expect(deadline.getTime()).to.be.within(before + minute, (await redisNow()) + minute);
    expect(await approvals.open({ ...ticket, owner: 'pod-2' }, 5)).to.deep.equal(deadline);
    expect(await approvals.read(ticket.id)).to.deep.equal({ state: 'waiting', deadline, ticket });
  });

  for (const decision of ['approved', 'rejected', 'cancelled'] as const)
    it(`are ${decision} once`, async () => {
      const ticket = await open();
      const first = await approvals.decide(ticket.id, decision, backend);
      expect(first).to.deep.include({ outcome: 'decided', ticket });
      for (const again of ['approved', 'rejected', 'cancelled'] as const)
        expect(await approvals.decide(ticket.id, again, backend)).to.deep.equal({
          outcome: 'late',
          state: decision,
        });
      expect(await approvals.expire(ticket.id)).to.deep.equal({ outcome: 'late', state: decision });
      const state = await approvals.read(ticket.id);
      expect(state).to.deep.include({ state: decision, by: backend, ticket });
      expect(await approvals.backlog()).to.deep.equal({ waiting: 0, oldestOverdueSeconds: 0 });
    });

  it('do not expire early, and tell how long it takes', async () => {
    const { id } = await open();
    const early = await approvals.expire(id);
    expect(early.outcome).to.equal('early');
    expect((early as { remainingMs: number }).remainingMs).to.be.within(1, minute);
    expect(await approvals.read(id)).to.have.property('state', 'waiting');
  });

  it('expire from their deadline on, with nobody’s name', async () => {
    const ticket = await open(0);
    const expired = await approvals.expire(ticket.id);
    expect(expired).to.deep.include({ outcome: 'decided', ticket });
    expect((expired as { lateMs: number }).lateMs).to.be.at.least(0);
    expect(await approvals.expire(ticket.id)).to.deep.equal({ outcome: 'late', state: 'expired' });
    expect(await approvals.read(ticket.id)).to.deep.include({ state: 'expired', by: null });
  });

  it('expire when somebody decides too late', async () => {
    const { id } = await open(0);
    const late = { outcome: 'late', state: 'expired' };
    expect(await approvals.decide(id, 'approved', backend))
      .to.deep.include(late)
      .and.have.property('ageMs');
    expect(await approvals.expire(id)).to.deep.equal(late);
    expect(await approvals.read(id)).to.deep.include({ state: 'expired', by: null });
  });

  it('are unknown unless they were opened', async () => {
    const unknown = { outcome: 'unknown' };
    expect(await approvals.decide('x', 'approved', null)).to.deep.equal(unknown);
    expect(await approvals.expire('x')).to.deep.equal(unknown);
    expect(await approvals.read('x')).to.deep.equal({ state: 'unknown' });
  });

  it('are overdue in the order of their deadlines, until they are settled', async () => {
    await open();
    const [second, first] = [await open(-1000), await open(-5000)];
    expect(await approvals.overdue(10)).to.deep.equal([first.id, second.id]);
    expect(await approvals.overdue(1)).to.deep.equal([first.id]);
    const { waiting, oldestOverdueSeconds } = await approvals.backlog();
    expect(waiting).to.equal(3);
    expect(oldestOverdueSeconds).to.be.at.least(5);
    for (const { id } of [first, second]) await approvals.expire(id);
    expect(await approvals.overdue(10)).to.deep.equal([]);
    expect(await approvals.backlog()).to.deep.equal({ waiting: 1, oldestOverdueSeconds: 0 });
  });

  it('leave the list of deadlines when their state is gone', async () => {
    const { id } = await open(0);
    await redis.del(approvalKey(id));
    expect(await approvals.overdue(10)).to.deep.equal([id]);
    expect(await approvals.expire(id)).to.deep.equal({ outcome: 'unknown' });
    expect(await approvals.overdue(10)).to.deep.equal([]);
  });

  it('are remembered for a day after they were decided', async () => {
    const { id } = await open();
    expect(await redis.pttl(approvalKey(id))).to.be.within(day, day + minute);
    await approvals.decide(id, 'rejected', null);
    expect(await redis.pttl(approvalKey(id))).to.be.within(day - minute, day);
  });

  it('keep what one script touches on one node of a cluster', () => {
    const tags = [approvalKey('x'), approvalDeadlines].map((key) => /\{(.*)\}/.exec(key)?.[1]);
    expect(new Set(tags).size).to.equal(1);
  });

  it('are not decided for somebody else when the reply is lost', async () => {
    const proxy = await tcpProxy({ target: url });
    const shaky = createApprovals(await connect(proxy.url));
    for (let round = 0; round < 10; round += 1) {
      const ticket = await open();
      const cut = proxy.cutNextReply(ticket.id);
      const [outcome] = await Promise.all([shaky.decide(ticket.id, 'approved', backend), cut]);
      expect(outcome).to.deep.include({ outcome: 'decided', ticket });
      expect(await approvals.decide(ticket.id, 'approved', backend)).to.deep.equal({
        outcome: 'late',
        state: 'approved',
      });
    }
  });

  it('have one decision each: 500, raced for by 60 attempts over three connections', async () => {
    const rivals = (await Promise.all([url, url, url].map(connect))).map(createApprovals);
    // Due in the middle of the race, so that expiry and decisions win some each.
    const tickets = await Promise.all(Array.from({ length: 500 }, () => open(minute)));
    const winners = new Map<string, string[]>();
    for (const [n, { id }] of tickets.entries()) {
      if (n % 2 === 0) await redis.hset(approvalKey(id), 'deadline', (await redisNow()) + 1);
      const race = Array.from({ length: 60 }, async (_, attempt) => {
        const rival = rivals[attempt % 3]!;
        const way = (['approved', 'rejected', 'expired'] as const)[(n + (attempt >> 2)) % 3]!;
        const { outcome } = await (way === 'expired'
          ? rival.expire(id)
          : rival.decide(id, way, backend));
        if (outcome === 'decided') winners.set(id, [...(winners.get(id) ?? []), way]);
      });
      await Promise.all(race);
    }
    const counts = new Map<string, number>();
    for (const { id } of tickets) {
      const state = await waitFor(
        async () => {
          await approvals.expire(id);
          const { state: now } = await approvals.read(id);
          return now === 'waiting' ? undefined : now;
        },
        { what: 'the approval to be final' },
      );
      counts.set(state, (counts.get(state) ?? 0) + 1);
      const won = winners.get(id) ?? [];
      expect(won.length, id).to.be.at.most(1);
      if (won[0]) expect(state).to.equal(won[0]);
      // Without a winner it was a late decision that let it expire.
      else expect(state).to.equal('expired');
    }
    console.log(`      ${JSON.stringify(Object.fromEntries(counts))}`);
  });
});
