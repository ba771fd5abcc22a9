import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { needs, waitFor } from '@parley/testkit';
import { approvalMetrics, createApprovalDesk, type ApprovalDesk } from '@parley/approvals';
import { connectDatabase, type Database } from '@parley/database';
import { Registry } from 'prom-client';
import type { AppProcess } from './support/app-process.js';
import {
  ApprovalStage,
  decideOnSocket,
  timesDone,
  type Recorded,
  type Waiting,
} from './support/approval-stage.js';
import { inParallel, measured, scaled } from './support/proof-scale.js';

/** To decide one approval. With those of its owner's timer, the worker's timer and the sweep, which try too. */
const attempts = { rest: 12, socket: 3, expire: { rounds: 15, each: 3 * 13 } };

describe('approvals of one api, three gateways and two workers', function () {
  this.timeout(600_000);
  needs('haproxy', 'redis-server');
  let stage: ApprovalStage;
  let rivals: readonly Database[] = [];

  before(async () => {
    stage = await ApprovalStage.open();
    rivals = [1, 2, 3].map(() => connectDatabase({ url: stage.cluster.databaseUrl }));
  });
  after(async () => {
    await Promise.all(rivals.map((rival) => rival.close()));
    await stage.close();
  });

  /** Each call was decided once, and the world outside agrees with the record. Answers how many ended in which state. */
  const agreed = async (calls: readonly Waiting[], ends: readonly Recorded[]) => {
    const counts: Record<string, number> = {};
    expect(ends).to.have.length(calls.length);
    for (const { bill, approval } of ends) {
      counts[approval] = (counts[approval] ?? 0) + 1;
      expect(stage.tool.runs(bill), `${bill}, ${approval}`).to.equal(
        approval === 'approved' ? 1 : 0,
      );
    }
    expect(new Set(await stage.decisions(calls))).to.deep.equal(new Set([1]));
    return counts;
  };
  const leave = (calls: readonly Waiting[]) =>
    Promise.all([...new Set(calls.map(({ session }) => session))].map((each) => each.leave()));
  /** Each session heard the end of each of its calls, once. */
  const allTold = async (calls: readonly Waiting[]) => {
    await waitFor(() => calls.every((call) => timesDone(call) > 0), { what: 'every result' });
    for (const call of calls) expect(timesDone(call), call.bill).to.equal(1);
  };
  const approve = ({ id }: Waiting) => stage.rest.request('POST', `/Approval/${id}/approve`);

  /** Some approvals that only this worker can expire, and it is in the middle of that. */
  const begunBy = async (worker: AppProcess, other: AppProcess, count: number) => {
    expect(await other.term()).to.equal(0);
    const owner = stage.cluster.gateways[0]!;
    const calls = await stage.waiting(count, owner);
    await owner.kill();
    const hold = await stage.hold(calls);
    await stage.workerHeld();
    await owner.restart();
    expect(await worker.health('/readyz')).to.equal(200);
    return { calls, hold };
  };

  it(`decide each of ${scaled(500)} once, of 600 attempts on sockets, REST and timers`, async () => {
    const desks = rivals.map((database): ApprovalDesk =>
      createApprovalDesk({
        ...{ database, redis: stage.redis },
        producer: { expireApproval: () => Promise.resolve(), enqueueRun: () => Promise.resolve() },
        metrics: approvalMetrics(new Registry()),
        onError: () => undefined,
      }),
    );
    let unanswered = 0;
    const race = async (call: Waiting, n: number): Promise<number> => {
      // Some before the deadline, some when it is over.
      await delay(call.deadline.getTime() - Date.now() - ((n % 5) * 600 - 300));
      const way = (attempt: number) => ((attempt + n) % 2 === 0 ? 'approve' : 'reject');
      for (let k = 0; k < attempts.socket; k += 1) decideOnSocket(call, way(k));
      const asked = Array.from({ length: attempts.rest }, async (_, k) => {
        const { status } = await stage.rest.request('POST', `/Approval/${call.id}/${way(k)}`);
        // 503 tells nothing about the decision: the caller has to look.
        expect(status).to.be.oneOf([200, 409, 503]);
        if (status === 503) unanswered += 1;
        return status === 200 ? 1 : 0;
      });
      const timers = desks.map(async (desk) => {
        const { rounds, each } = attempts.expire;
        for (let k = 0; k < rounds; k += 1)
          await Promise.all(
            Array.from({ length: each / desks.length }, () => desk.expire(call.id)),
          );
        return 0;
      });
      const won: number[] = await Promise.all([...asked, ...timers]);
      return won.reduce((sum, each) => sum + each);
    };
    // A session at a time, in some lanes: the deadlines of all are not the same moment.
    const races = await inParallel({ count: Math.ceil(scaled(500) / 10), width: 10 }, async () => {
      const calls = await stage.waiting(10);
      return { calls, winners: await Promise.all(calls.map(race)) };
    });
    const calls = races.flatMap((each) => each.calls);
    const counts = await agreed(calls, await stage.ends(calls));
    measured(`${calls.length} approvals x 600 attempts: ${JSON.stringify(counts)}`);
    measured(`${unanswered} of ${calls.length * attempts.rest} REST attempts got 503`);
    expect(Math.max(...races.flatMap(({ winners }) => winners))).to.be.at.most(1);
    await allTold(calls);
    await leave(calls);
  });

  it(`expire, and do not run, ${scaled(200)} calls whose gateway is killed`, async () => {
    const owner = stage.cluster.gateways[0]!;
    const calls = await stage.waiting(scaled(200), owner);
    await owner.kill();
    const counts = await agreed(calls, await stage.ends(calls));
    expect(counts).to.deep.equal({ expired: calls.length });
    await owner.restart();
  });

  it('decide within seconds what a worker had begun when it was killed', async () => {
    const [first, second] = stage.cluster.workers as [AppProcess, AppProcess];
    const { calls, hold } = await begunBy(first, second, 5);
    await second.restart();
    await first.kill();
    const killed = performance.now();
    await hold.release();
    const counts = await agreed(calls, await stage.ends(calls));
    const took = Math.round(performance.now() - killed);
    measured(`${calls.length} approvals, whose worker was killed, decided ${took} ms later`);
    expect(counts).to.deep.equal({ expired: calls.length });
    await first.restart();
  });

  it('decide what a worker had begun when it was told to stop', async () => {
    const [first, second] = stage.cluster.workers as [AppProcess, AppProcess];
    const { calls, hold } = await begunBy(first, second, 1);
    const exit = first.term();
    await waitFor(async () => (await first.health('/readyz')) === 503, { what: '503' });
    await hold.release();
    expect(await exit).to.equal(0);
    expect(await agreed(calls, await stage.ends(calls))).to.deep.equal({ expired: calls.length });
    await Promise.all([first.restart(), second.restart()]);
  });

  it(`end in one state each, ${scaled(100)} of them, when Redis is killed and comes back`, async () => {
    const calls = await stage.waiting(scaled(100));
    const third = (n: number) => calls.filter((_, at) => at % 3 === n);
    for (const call of third(0)) await approve(call);
    await stage.cluster.redis.restart();
    for (const call of third(1))
      await waitFor(async () => (await approve(call)).status !== 503, { what: 'Redis' });
    const counts = await agreed(calls, await stage.ends(calls));
    measured(`${calls.length} over a restart of Redis: ${JSON.stringify(counts)}`);
    expect(counts).to.have.keys('approved', 'expired');
    await leave(calls);
  });

  it(`hear ${scaled(1000)} decisions of another process while their subscriptions are cut`, async () => {
    await stage.beginAnew(300);
    const calls = await stage.waiting(scaled(1000));
    let cuts = 0;
    const cutting = setInterval(() => {
      void stage.redis
        .call('CLIENT', 'KILL', 'TYPE', 'pubsub')
        .then((cut) => (cuts += Number(cut)));
    }, 250);
    const answers = await inParallel({ count: calls.length, width: 16 }, (n) => approve(calls[n]!));
    const ends = await stage.ends(calls).finally(() => clearInterval(cutting));
    for (const { status, body } of answers) expect(status, JSON.stringify(body)).to.equal(200);
    const counts = await agreed(calls, ends);
    measured(`${calls.length} decisions, ${cuts} subscriptions cut: ${JSON.stringify(counts)}`);
    expect(counts).to.deep.equal({ approved: calls.length });
    await allTold(calls);
    await leave(calls);
  });
});
