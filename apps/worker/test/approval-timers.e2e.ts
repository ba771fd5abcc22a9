import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import {
  appProgram,
  needs,
  runNode,
  startRedisServer,
  waitFor,
  type KillableServer,
  type RunningProgram,
} from '@parley/testkit';
import { openCoordination, type Coordination } from './support/coordination.js';
import { openRecord, type Organization, type TestRecord } from './support/record.js';

const main = appProgram('worker');

describe('approvals that nobody decides', () => {
  needs('redis-server');
  let record: TestRecord;
  let server: KillableServer;
  let coordination: Coordination;
  let organization: Organization;
  let workers: RunningProgram[];

  before(async () => {
    record = await openRecord();
  });
  beforeEach(async () => {
    await record.clear();
    organization = await record.newOrganization();
    workers = [];
  });
  afterEach(async () => {
    for (const worker of workers) await worker.stop();
    await coordination.close();
    await server.stop();
  });
  after(() => record.drop());

  const useRedis = async (...args: string[]) => {
    server = await startRedisServer({ args });
    coordination = await openCoordination(record, server.url);
  };
  const durable = () => useRedis('--appendonly', 'yes', '--appendfsync', 'always');
  const startWorker = async (): Promise<RunningProgram> => {
    const program = runNode([main], {
      env: {
        HOST: '127.0.0.1',
        INTERNAL_PORT: '0',
        LOG_LEVEL: 'debug',
        DATABASE_URL: record.url,
        SECRETS_KEY: randomBytes(32).toString('base64'),
        REDIS_URL: server.url,
      },
    });
    workers.push(program);
    await program.line(/"msg":"ready"/);
    return program;
  };
  const open = (timeoutMs: number) => coordination.waitingCall(organization, timeoutMs);
  const states = () => record.values('select approval from tool_calls');
  const allExpired = () =>
    waitFor(async () => (await states()).every((state) => state === 'expired'), {
      what: 'every approval to expire',
      timeoutMs: 40_000,
      otherwise: () => workers.map(({ output }) => output.slice(-4000)).join('\n'),
    });

  it('expire by their timer, also when the timer is early', async () => {
    await durable();
    const worker = await startWorker();
    const [punctual, early] = [await open(1000), await open(60_000)];
    // Its timer is set already: this one comes too soon.
    await record.owner.query(
      `update tool_calls set deadline = now() + interval '1500 milliseconds' where id = $1`,
      [early.id],
    );
    await (await coordination.timerOf(early.id)).promote();
    await allExpired();
    for (const { id } of [punctual, early])
      await worker.line(new RegExp(`"approval":"${id}","outcome":"settled"`));
    const late = await record.values('select decided_at >= deadline from tool_calls');
    expect(late).to.deep.equal([true, true]);
    const results = await record.values('select result from tool_calls');
    for (const result of results) expect(result).to.match(/timed out/);
  });

  it('expire without their timer, which a clock far ahead has taken', async () => {
    await durable();
    const worker = await startWorker();
    const { id } = await open(60_000);
    const timer = await coordination.timerOf(id);
    await timer.promote();
    await worker.line(new RegExp(`"approval":"${id}","outcome":"early"`));
    const isGone = async () => (await timer.getState()) === 'unknown';
    await waitFor(isGone, { what: 'the timer to be gone' });
    expect(await states()).to.deep.equal(['waiting']);
    await record.owner.query('update tool_calls set deadline = now()');
    await allExpired();
  });

  it('expire although their worker dies in the middle of it', async () => {
    await durable();
    const { id } = await open(500);
    await record.owner.query('begin');
    await record.owner.query('select from messages for update');
    const first = await startWorker();
    const blocked = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    const isBlocked = async () => {
      // Within a transaction PostgreSQL shows the activity of its first look.
      await record.owner.query('select pg_stat_clear_snapshot()');
      return (await record.values(blocked)).length > 0;
    };
    await waitFor(isBlocked, { what: 'the worker to be in the middle' });
    await first.stop();
    await record.owner.query('rollback');
    await startWorker();
    await allExpired();
    const [result] = await record.values('select result from tool_calls where id = $1', [id]);
    expect(result).to.match(/timed out/);
  });

  it('end in one state each when Redis is killed and comes back', async () => {
    await durable();
    await Promise.all([startWorker(), startWorker()]);
    const rejected: string[] = [];
    for (let n = 0; n < 100; n += 1) {
      const { id } = await open(5000);
      if (n % 3 > 0) continue;
      const call = { id, organizationId: organization.id };
      const by = { kind: 'system', name: 'test' } as const;
      if (await coordination.approvals.decide(call, 'rejected', by)) rejected.push(id);
    }
    await server.kill();
    await server.restart();
    await waitFor(
      async () => (await states()).every((state) => state === 'expired' || state === 'rejected'),
      { what: 'every approval to be final', timeoutMs: 60_000 },
    );
    const recorded = await record.values(`select id from tool_calls where approval = 'rejected'`);
    expect(rejected).to.not.be.empty;
    expect(recorded).to.have.members(rejected);
    expect(await states()).to.have.length(100);
  });

  it('end when Redis comes back without its data', async () => {
    await useRedis();
    await startWorker();
    for (const timeoutMs of [3000, 3100, 3200]) await open(timeoutMs);
    await server.kill();
    await server.restart();
    await allExpired();
    expect(await states()).to.deep.equal(['expired', 'expired', 'expired']);
  });
});
