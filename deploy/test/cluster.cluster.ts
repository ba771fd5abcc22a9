import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { needs, waitFor } from '@parley/testkit';
import type { AppProcess } from './support/app-process.js';
import { Cluster } from './support/cluster.js';
import { inParallel, measured, scaled } from './support/proof-scale.js';
import type { Session } from './support/session.js';

const activeSessions = 'parley_realtime_sessions_active';

describe('two api, three gateways and two workers behind the load balancer', function () {
  this.timeout(600_000);
  needs('haproxy', 'redis-server');
  let cluster: Cluster;
  let agentId: string;

  before(async () => {
    cluster = await Cluster.start({ apis: 2, gateways: 3, workers: 2 });
    agentId = await cluster.client().createAgent();
  });
  after(() => cluster.stop());

  const connect = () => cluster.client().connect(agentId);
  const leaveAll = (sessions: Session[]) => Promise.all(sessions.map((each) => each.leave()));

  it(`open ${scaled(3000)} sessions wherever they were created, spread evenly`, async () => {
    const count = scaled(3000);
    const sessions = await inParallel({ count, width: 30 }, connect);
    const held = await Promise.all(cluster.gateways.map((each) => each.metric(activeSessions)));
    measured(`${count} sessions on three gateways: ${held.join(', ')}`);
    expect(held.reduce((sum, each) => sum + each)).to.equal(count);
    for (const each of held) expect(each).to.be.closeTo(count / 3, count / 30);
    await leaveAll(sessions);
  });

  it(`close ${scaled(300)} live sessions of a stopping gateway with 1012, in batches`, async () => {
    const [gateway] = cluster.gateways as [AppProcess];
    const connectHere = () => cluster.client().connect(agentId, gateway.origin);
    const sessions = await inParallel({ count: scaled(300), width: 30 }, connectHere);
    const exit = gateway.term();
    await waitFor(async () => (await gateway.health('/readyz')) === 503, { what: '503' });
    expect(await gateway.health('/livez')).to.equal(200);
    expect(sessions.filter(({ closedAt }) => closedAt !== undefined)).to.have.length(0);
    const codes = await Promise.all(sessions.map(({ closed }) => closed));
    expect(new Set(codes)).to.deep.equal(new Set([1012]));
    const times = sessions.map(({ closedAt = 0 }) => closedAt).sort((a, b) => a - b);
    const took = Math.round(times.at(-1)! - times[0]!);
    measured(`${codes.length} sockets closed with 1012, the last ${took} ms after the first`);
    expect(await exit).to.equal(0);
    await gateway.restart();
  });

  it('end a gateway at once that is told twice', async () => {
    const [gateway] = cluster.gateways as [AppProcess];
    const session = await cluster.client().connect(agentId, gateway.origin);
    const exit = gateway.term();
    await waitFor(async () => (await gateway.health('/readyz')) === 503, { what: '503' });
    gateway.signal('SIGTERM');
    expect(await exit).to.equal(1);
    expect(await session.closed).to.equal(1006);
    await gateway.restart();
  });

  const perSecond = Math.max(5, scaled(30));
  it(`let 99.9 % of ${perSecond} new sessions per second in while every gateway is restarted`, async () => {
    const held: Session[] = [];
    const failures = new Map<string, number>();
    const took: number[] = [];
    const pending: Promise<void>[] = [];
    let attempts = 0;
    let replaced = 0;
    const attempt = async () => {
      attempts += 1;
      const begun = performance.now();
      try {
        const session = await within(30_000, connect());
        took.push(performance.now() - begun);
        held.push(session);
        void session.closed.then((code) => {
          if (code !== 1012) return;
          replaced += 1;
          pending.push(attempt());
        });
        if (held.length > scaled(400)) await held.shift()!.leave();
      } catch (error) {
        failures.set(String(error), (failures.get(String(error)) ?? 0) + 1);
      }
    };
    const load = setInterval(() => pending.push(attempt()), 1000 / perSecond);
    try {
      for (const gateway of cluster.gateways) {
        expect(await gateway.term()).to.equal(0);
        await gateway.restart();
      }
      await waitFor(() => attempts >= scaled(500), { what: 'enough attempts', timeoutMs: 30_000 });
    } finally {
      clearInterval(load);
    }
    await Promise.all(pending);
    const failed = [...failures.values()].reduce((sum, each) => sum + each, 0);
    const p99 = Math.round(took.sort((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? 0);
    const causes = JSON.stringify([...failures]);
    measured(`${attempts} attempts, ${replaced} of them after a cut: ${failed} failed ${causes}`);
    measured(`the others took p99 ${p99} ms`);
    expect(failed / attempts, causes).to.be.at.most(0.001);
    await leaveAll(held);
  });

  it('answer 1,000 requests on kept connections while each api is restarted, and one twice', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const outcomes = new Map<string, number>();
    let restarts = 0;
    let answered = 0;
    const lane = async () => {
      while (restarts < 3 || answered < 1000) {
        const outcome = await post(agent, cluster);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        answered += 1;
      }
    };
    const lanes = Array.from({ length: 8 }, lane);
    for (const n of [0, 1, 0]) {
      const api = cluster.apis[n]!;
      expect(await api.term()).to.equal(0);
      await api.restart();
      restarts += 1;
    }
    await Promise.all(lanes);
    agent.destroy();
    measured(`${answered} requests over ${restarts} restarts: ${JSON.stringify([...outcomes])}`);
    expect([...outcomes.keys()]).to.deep.equal(['201']);
  });

  it('finish a request that is under way in a stopping api', async () => {
    const api = cluster.apis[0]!;
    const body = JSON.stringify({ title: 'Call back' });
    const headers = { ...headersOf(cluster), 'Content-Length': body.length };
    const task = request(`${api.origin}/api/v1/Task`, { method: 'POST', headers });
    const answer = once(task, 'response') as Promise<[IncomingMessage]>;
    task.write(body.slice(0, 5));
    await waitFor(async () => (await api.metric('parley_http_requests_in_flight')) > 0, {
      what: 'the request to be there',
    });
    const exit = api.term();
    await waitFor(() => refuses(api), { what: 'nobody else to be let in' });
    task.end(body.slice(5));
    const [response] = await answer;
    response.resume();
    expect(response.statusCode).to.equal(201);
    expect(await exit).to.equal(0);
    await api.restart();
  });

  it(`live through ${scaled(60)} s without Redis`, async () => {
    const sessions = await inParallel({ count: 9, width: 3 }, connect);
    const created = `/Agent/${agentId}/realtime-session`;
    const ends: AppProcess[] = [];
    for (const pod of cluster.pods) void pod.ended.then(() => ends.push(pod));
    await cluster.redis.kill();
    const until = performance.now() + scaled(60_000);
    let turns = 0;
    do {
      for (const pod of cluster.pods) expect(await pod.health('/livez'), pod.app).to.equal(200);
      await Promise.all(sessions.map((session) => session.turn('Are you there?')));
      turns += sessions.length;
      const { status, headers } = await cluster.client().request('POST', created, {});
      expect(status).to.equal(503);
      expect(Number(headers.get('Retry-After'))).to.be.at.least(1);
    } while (performance.now() < until);
    await cluster.redis.restart();
    const back = performance.now();
    await waitFor(
      () =>
        connect().then(
          (session) => session.leave().then(() => true),
          () => false,
        ),
      {
        what: 'a new session',
        timeoutMs: 30_000,
      },
    );
    const took = Math.round(performance.now() - back);
    measured(`${turns} turns without Redis; new sessions ${took} ms after its return`);
    expect(ends).to.deep.equal([]);
    await leaveAll(sessions);
  });
});

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = delay(milliseconds, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`not within ${milliseconds} ms`);
  });
  return Promise.race([work, late]).finally(() => timer.abort());
}

function headersOf({ credentials }: Cluster) {
  return {
    'X-Api-Key': credentials.apiKey,
    'X-Org-Id': credentials.organizationId,
    'Content-Type': 'application/json',
  };
}

/** Makes a task, which nobody in between may try twice: the status, or the error that the caller sees. */
async function post(agent: Agent, cluster: Cluster): Promise<string> {
  const call = request(`${cluster.origin}/api/v1/Task`, {
    method: 'POST',
    agent,
    headers: headersOf(cluster),
  });
  call.end(JSON.stringify({ title: 'Call back' }));
  try {
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    await once(response.resume(), 'end');
    return String(response.statusCode);
  } catch (error) {
    return String(error);
  }
}

async function refuses({ origin }: AppProcess): Promise<boolean> {
  return fetch(`${origin}/openapi.json`).then(
    () => false,
    () => true,
  );
}
