import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { expect } from 'chai';
import { verifyAudit } from '@parley/database';
import { jobQueues } from '@parley/session-store';
import {
  needs,
  startRedisServer,
  tcpProxy,
  testRedis,
  waitFor,
  type KillableServer,
} from '@parley/testkit';
import { jobNames, jobs, queueOf, type JobName } from '#src/jobs.js';
import { startWorker, type RunningWorker as Pod } from './support/context.js';
import { openRecord, type TestRecord } from './support/record.js';

type Outcome = 'done' | 'failed';

/** Those that no test outlasts: each of their ticks is the test's own. */
const maintenance = jobNames.filter((name) => queueOf(name) === 'maintenance');
const rareJobs = jobNames.filter((name) => jobs[name].everySeconds >= 600);

describe('a worker', () => {
  let record: TestRecord;
  let redisUrl: string;
  let ends: (() => Promise<unknown>)[];

  before(async () => {
    record = await openRecord();
  });
  beforeEach(async () => {
    await record.clear();
    redisUrl = (await testRedis()).url;
    ends = [];
  });
  afterEach(async () => {
    for (const end of ends.reverse()) await end();
  });
  after(() => record.drop());

  const start = async (drainSeconds = 20, rescheduleMs?: number): Promise<Pod> => {
    const settings = { DRAIN_TIMEOUT_SECONDS: drainSeconds };
    const changes = { settings, ...(rescheduleMs !== undefined && { rescheduleMs }) };
    const pod = await startWorker(record, { url: redisUrl }, changes);
    ends.push(() => pod.close());
    return pod;
  };
  const openTestQueue = (url = redisUrl): Queue => {
    const connection = new Redis(url, { maxRetriesPerRequest: null });
    connection.on('error', () => undefined);
    const queue = new Queue(jobQueues.maintenance, { prefix: jobQueues.prefix, connection });
    queue.on('error', () => undefined);
    ends.push(async () => {
      await queue.close();
      connection.disconnect();
    });
    return queue;
  };
  const runs = async (pods: Pod[], job: JobName, outcome: Outcome): Promise<number> => {
    let sum = 0;
    for (const { registry } of pods)
      for (const { labels, value } of (
        await registry.getSingleMetric('parley_job_runs_total')!.get()
      ).values)
        if (labels['job'] === job && labels['outcome'] === outcome) sum += value;
    return sum;
  };
  /** Waits until every job has run so many times, on whichever pod. */
  const allRan = (pods: Pod[], times: number, names = jobNames) =>
    waitFor(
      async () => {
        const done = await Promise.all(names.map((job) => runs(pods, job, 'done')));
        return done.every((count) => count >= times);
      },
      { what: `every job to run ${times} times` },
    );

  it('runs every job at once on a new Redis, and counts runs, time and rows by job alone', async () => {
    const organization = await record.newOrganization();
    await record.addFiles(organization, { count: 3, expiresInSeconds: -1 });
    const pod = await start();
    await allRan([pod], 1);
    expect(await record.values('select id from temporary_files')).to.deep.equal([]);
    const text = await pod.registry.metrics();
    expect(text).to.match(/^parley_job_rows_total\{job="purge-files",app="test"\} 3$/m);
    expect(text).to.match(/^parley_job_duration_seconds_count\{app="test",job="purge-files"\} 1$/m);
    expect(text).to.match(
      /^parley_job_runs_total\{job="purge-files",outcome="failed",app="test"\} 0$/m,
    );
    expect(text).not.to.include(organization.id);
  });

  for (const queue of Object.values(jobQueues).filter((name) => name !== jobQueues.prefix))
    it(`does not start if it loses Redis before it takes the jobs of ${queue}`, async () => {
      const proxy = await tcpProxy({ target: redisUrl });
      ends.push(() => proxy.stop());
      // BullMQ names the connection that waits for jobs like this.
      const lost = proxy.cutNextReply(Buffer.from(queue).toString('base64'));
      const pod = startWorker(record, { url: proxy.url }).then(
        () => 'it started',
        (error: unknown) => String(error),
      );
      await lost;
      expect(await pod).to.include('REDIS_URL cannot be used: Connection is closed.');
    });

  it('runs each tick of a schedule once, however many pods there are', async () => {
    const pods = await Promise.all([start(), start(), start()]);
    const queue = openTestQueue();
    for (const tick of [1, 2, 3]) {
      await allRan(pods, tick, rareJobs);
      const next = await waitFor(
        async () => {
          const delayed = (await queue.getDelayed()).filter(({ name }) =>
            rareJobs.some((rare) => rare === name),
          );
          return delayed.length === rareJobs.length ? delayed : undefined;
        },
        { what: 'the next tick of every schedule' },
      );
      for (const job of rareJobs) expect(await runs(pods, job, 'done'), job).to.equal(tick);
      expect(next.map(({ name }) => name)).to.have.members(rareJobs);
      if (tick < 3) for (const job of next) await job.promote();
    }
  });

  it('lets a pod that starts later join the schedule without a run of its own', async () => {
    const first = await start();
    await allRan([first], 1);
    const queue = openTestQueue();
    const due = async () =>
      (await queue.getJobSchedulers())
        .filter(({ name }) => rareJobs.some((rare) => rare === name))
        .map(({ name, next }) => ({ name, next }));
    const before = await due();
    const second = await start();
    expect(await due()).to.deep.equal(before);
    await queue.add('purge-files', {}, { removeOnComplete: true });
    await waitFor(async () => (await runs([first, second], 'purge-files', 'done')) === 2, {
      what: 'the job that was added',
    });
    expect(await runs([first, second], 'purge-conversations', 'done')).to.equal(1);
  });

  it('works a backlog off in batches, each with its audit record', async () => {
    const organization = await record.newOrganization();
    await record.addConversations(organization, { count: 1050, daysAgo: 31 });
    await start();
    await waitFor(
      async () => (await record.values('select from conversations limit 1')).length === 0,
      {
        what: 'the conversations to be gone',
      },
    );
    const counts = await record.values(
      `select (after->>'count')::int from audit_log where organization_id = $1 order by sequence`,
      [organization.id],
    );
    expect(counts).to.deep.equal([500, 500, 50]);
    expect(await verifyAudit(record.database, organization.id)).to.deep.equal({
      ok: true,
      records: 3,
    });
  });

  it('continues at once after a run that failed for some of the rows', async () => {
    const organization = await record.newOrganization();
    await record.addFiles(organization, { count: 1, expiresInSeconds: -9, storage: 's3' });
    await record.addFiles(organization, { count: 501, expiresInSeconds: -1 });
    const pod = await start();
    await waitFor(async () => (await runs([pod], 'purge-files', 'failed')) === 2, {
      what: 'the second run to fail for the same file',
    });
    expect(await record.values('select storage from temporary_files')).to.deep.equal(['s3']);
  });

  it('counts a run that fails, and a job that it does not know, and goes on', async () => {
    const pod = await start();
    await allRan([pod], 1);
    const queue = openTestQueue();
    await record.owner.query('alter table temporary_files rename to away');
    try {
      await queue.add('no-such-job', {});
      await queue.add('purge-files', {});
      await waitFor(async () => (await runs([pod], 'purge-files', 'failed')) === 1, {
        what: 'the failure to be counted',
      });
    } finally {
      await record.owner.query('alter table away rename to temporary_files');
    }
    await queue.add('purge-files', {});
    await waitFor(async () => (await runs([pod], 'purge-files', 'done')) === 2, {
      what: 'the next run',
    });
    const failed = await waitFor(
      async () => {
        const jobs = await queue.getFailed();
        return jobs.length === 2 ? jobs : undefined;
      },
      { what: 'both failures in the queue' },
    );
    expect(failed.map(({ name }) => name)).to.have.members(['no-such-job', 'purge-files']);
  });

  it('has its schedules back after its data were flushed, which ends no connection', async () => {
    const pod = await start(20, 100);
    await allRan([pod], 1);
    const redis = new Redis(redisUrl);
    ends.push(() => redis.quit());
    await redis.flushdb();
    await allRan([pod], 2);
    expect((await openTestQueue().getJobSchedulers()).map(({ name }) => name)).to.have.members(
      maintenance,
    );
  });

  describe('that closes', () => {
    /** A worker in the middle of purge-files, which waits for a lock until release(). */
    const midJob = async (drainSeconds: number) => {
      const organization = await record.newOrganization();
      const pod = await start(drainSeconds);
      await allRan([pod], 1);
      await record.addFiles(organization, { count: 1, expiresInSeconds: -1 });
      await record.owner.query('begin; lock table temporary_files in access exclusive mode');
      await openTestQueue().add('purge-files', {});
      const waiting = `select pid from pg_locks where not granted and relation = 'temporary_files'::regclass`;
      await waitFor(async () => (await record.values(waiting)).length === 1, {
        what: 'the job to wait for the lock',
      });
      return { pod, release: () => record.owner.query('rollback') };
    };

    it('finishes the job that runs, and takes no other', async () => {
      const { pod, release } = await midJob(20);
      const closed = pod.close();
      const queue = openTestQueue();
      await queue.add('purge-conversations', {});
      await release();
      await closed;
      expect(await record.values('select id from temporary_files')).to.deep.equal([]);
      expect(await queue.getActiveCount()).to.equal(0);
      expect((await queue.getWaiting()).map(({ name }) => name)).to.include('purge-conversations');
    });

    it('leaves a job that does not end in time to another worker', async () => {
      const { pod, release } = await midJob(1);
      await pod.close();
      const queue = openTestQueue();
      const left = (await queue.getActive()).find(({ name }) => name === 'purge-files');
      expect(left?.stalledCounter).to.equal(0);
      const other = await start();
      const stalls = async () => (await queue.getJob(left!.id!))?.stalledCounter;
      await waitFor(async () => (await stalls()) === 1, {
        what: 'the job to be taken from the worker that still runs it',
        timeoutMs: 45_000,
      });
      await release();
      await waitFor(
        async () => (await record.values('select id from temporary_files')).length === 0,
        { what: 'the statement that was under way' },
      );
      await waitFor(async () => (await runs([other], 'purge-files', 'done')) >= 1, {
        what: 'the stalled job to run again',
        timeoutMs: 45_000,
      });
    });
  });

  describe('whose Redis goes away', () => {
    needs('redis-server');
    let server: KillableServer;

    beforeEach(async () => {
      server = await startRedisServer();
      redisUrl = server.url;
      ends.push(() => server.stop());
    });

    const closes = async (pod: Pod) => {
      let closed = false;
      void pod.close().then(() => (closed = true));
      await waitFor(() => closed, { what: 'the worker to close' });
      expect(await runs([pod], 'purge-files', 'done')).to.be.above(0);
    };

    it('goes on when Redis is back, although its data are gone', async () => {
      const pod = await start();
      await allRan([pod], 1);
      await server.kill();
      await server.restart();
      await allRan([pod], 2);
      const schedules = await openTestQueue().getJobSchedulers();
      expect(schedules.map(({ name }) => name)).to.have.members(maintenance);
    });

    it('closes while Redis is away', async () => {
      const pod = await start();
      await allRan([pod], 1);
      await server.kill();
      await closes(pod);
    });

    it('closes within its bound while Redis hangs', async () => {
      const pod = await start(1);
      await allRan([pod], 1);
      await server.kill('SIGSTOP');
      await closes(pod);
    });
  });
});
