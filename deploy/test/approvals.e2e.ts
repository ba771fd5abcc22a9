import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { needs, waitFor } from '@parley/testkit';
import { connectRedis, createApprovals } from '@parley/session-store';
import {
  ApprovalStage,
  decideOnSocket,
  timesDone,
  type Recorded,
  type Waiting,
} from './support/approval-stage.js';
import { inParallel, measured, scaled } from './support/proof-scale.js';

/** To decide one approval. With those of its owner's timer, the worker's timer and the sweep, which try too. */
const attempts = { rest: 12, socket: 4, expire: 584 };

describe('approvals of one api, three gateways and two workers', function () {
  this.timeout(240_000);
  needs('haproxy', 'redis-server');
  let stage: ApprovalStage;

  before(async () => {
    stage = await ApprovalStage.open();
  });
  after(() => stage.close());

  /** Redis, the record and the world outside agree about each call. Answers how many ended in which state. */
  const agreed = async (calls: readonly Waiting[], ends: readonly Recorded[]) => {
    const counts: Record<string, number> = {};
    expect(ends).to.have.length(calls.length);
    for (const { id, bill, approval } of ends) {
      counts[approval] = (counts[approval] ?? 0) + 1;
      expect(stage.tool.runs(bill), `${bill}, ${approval}`).to.equal(
        approval === 'approved' ? 1 : 0,
      );
      expect(await stage.approvals.read(id)).to.have.property('state', approval);
    }
    return counts;
  };
  const leave = (calls: readonly Waiting[]) =>
    Promise.all([...new Set(calls.map(({ session }) => session))].map((each) => each.leave()));
  const approve = ({ id }: Waiting) => stage.rest.request('POST', `/Approval/${id}/approve`);

  it(`decide each of ${scaled(500)} once, of 600 attempts on sockets, REST and Redis`, async () => {
    await stage.patience(15);
    const rivals = await Promise.all(
      [1, 2, 3].map(() => connectRedis({ url: stage.cluster.redis.url, name: 'rival' })),
    );
    const desks = rivals.map(createApprovals);
    const calls = await stage.waiting(scaled(500));
    const race = async (call: Waiting, n: number): Promise<number> => {
      // Some before the deadline, some when it is over.
      await delay(call.deadline.getTime() - Date.now() - ((n % 4) * 100 - 50));
      const way = (attempt: number) => ((attempt + n) % 2 === 0 ? 'approve' : 'reject');
      for (let k = 0; k < attempts.socket; k += 1) decideOnSocket(call, way(k));
      const answers = await Promise.all([
        ...Array.from({ length: attempts.rest }, async (_, k) => {
          const { status } = await stage.rest.request('POST', `/Approval/${call.id}/${way(k)}`);
          expect(status).to.be.oneOf([200, 409]);
          return status === 200;
        }),
        ...Array.from({ length: attempts.expire }, async (_, k) => {
          const { outcome } = await desks[k % desks.length]!.expire(call.id);
          return outcome === 'decided';
        }),
      ]);
      return answers.filter(Boolean).length;
    };
    const winners = await Promise.all(calls.map(race));
    const counts = await agreed(calls, await stage.ends(calls));
    measured(`${calls.length} approvals x 600 attempts: ${JSON.stringify(counts)}`);
    expect(Math.max(...winners), 'winners of one approval').to.be.at.most(1);
    for (const call of calls) expect(timesDone(call)).to.equal(1);
    for (const rival of rivals) rival.disconnect();
    await leave(calls);
  });

  it(`hear ${scaled(1000)} decisions of another process while their subscriptions are cut`, async () => {
    await stage.patience(300);
    const calls = await stage.waiting(scaled(1000));
    let cuts = 0;
    const cutting = setInterval(() => {
      void stage.redis
        .call('CLIENT', 'KILL', 'TYPE', 'pubsub')
        .then((cut) => (cuts += Number(cut)));
    }, 250);
    const answers = await inParallel({ count: calls.length, width: 16 }, (n) => approve(calls[n]!));
    for (const { status } of answers) expect(status).to.equal(200);
    const counts = await agreed(calls, await stage.ends(calls));
    clearInterval(cutting);
    measured(`${calls.length} decisions, ${cuts} subscriptions cut: ${JSON.stringify(counts)}`);
    expect(counts).to.deep.equal({ approved: calls.length });
    await waitFor(() => calls.every((call) => timesDone(call) === 1), { what: 'their results' });
    await leave(calls);
  });

  it(`expire, and do not run, ${scaled(200)} calls whose gateway is killed`, async () => {
    await stage.patience(10);
    const owner = stage.cluster.gateways[0]!;
    const calls = await stage.waiting(scaled(200), owner);
    await owner.kill();
    const counts = await agreed(calls, await stage.ends(calls));
    expect(counts).to.deep.equal({ expired: calls.length });
    owner.restart();
    await owner.ready();
  });

  it(`end in one state each, ${scaled(100)} of them, when Redis is killed and comes back`, async () => {
    await stage.patience(15);
    const calls = await stage.waiting(scaled(100));
    const third = (n: number) => calls.filter((_, at) => at % 3 === n);
    for (const call of third(0)) expect(await approve(call)).to.include({ status: 200 });
    await stage.cluster.redis.restart();
    for (const call of third(1))
      await waitFor(async () => (await approve(call)).status !== 503, { what: 'Redis' });
    const counts = await agreed(calls, await stage.ends(calls));
    measured(`${calls.length} over a restart of Redis: ${JSON.stringify(counts)}`);
    await leave(calls);
  });
});
