import { expect } from 'chai';
import { connectRedis, jobQueues, redisOptions, type Redis } from '@parley/session-store';
import {
  needs,
  startRedisCluster,
  startRedisSentinel,
  waitFor,
  type RedisTopology,
} from '@parley/testkit';
import { jobNames, type JobName } from '#src/jobs.js';
import { openQueue, type JobQueue } from '#src/queue.js';
import { startWorker, type RunningWorker } from './support/context.js';
import { openRecord, type TestRecord } from './support/record.js';

const topologies = { Sentinel: startRedisSentinel, Cluster: startRedisCluster } as const;

for (const [name, start] of Object.entries(topologies))
  describe(`a worker on Redis ${name}`, () => {
    needs('redis-server');
    let record: TestRecord;
    let topology: RedisTopology;
    let worker: RunningWorker;
    let redis: Redis;
    let queue: JobQueue;

    before(async () => {
      [record, topology] = await Promise.all([openRecord(), start()]);
      const options = redisOptions(topology.settings);
      worker = await startWorker(record, options, { settings: { DRAIN_TIMEOUT_SECONDS: 20 } });
      redis = await connectRedis(options);
      queue = await openQueue(redis, () => undefined);
    });
    after(async () => {
      await worker.close();
      await queue.close();
      redis.disconnect();
      await Promise.all([record.drop(), topology.stop()]);
    });

    const done = async (job: JobName): Promise<number> => {
      const { values } = await worker.registry.getSingleMetric('parley_job_runs_total')!.get();
      const run = values.find(
        ({ labels }) => labels['job'] === job && labels['outcome'] === 'done',
      );
      return run?.value ?? 0;
    };

    it('runs every job', async () => {
      await waitFor(
        async () => (await Promise.all(jobNames.map(done))).every((runs) => runs >= 1),
        { what: 'every job to run' },
      );
      expect(await done('purge-files')).to.be.at.least(1);
    });

    for (const signal of ['SIGKILL', 'SIGSTOP'] as const)
      it(`takes jobs again after ${signal} of the master that holds the queue`, async () => {
        const before = await done('purge-files');
        await (await topology.failover({ signal, key: jobQueues.prefix })).restart();
        // A failover may forget a job that the former master has just taken.
        const ask = () => void queue.runNow('purge-files').catch(() => undefined);
        const asking = setInterval(ask, 1000);
        await waitFor(async () => (await done('purge-files')) > before, {
          what: 'the job to run',
        }).finally(() => clearInterval(asking));
        expect(await redis.ping()).to.equal('PONG');
      });

    it('keeps its schedules', async () => {
      const kept = await Promise.all(
        [jobQueues.maintenance, jobQueues.webhooks].map((queue) =>
          redis.zrange(`${jobQueues.prefix}:${queue}:repeat`, '0', '-1'),
        ),
      );
      expect(kept.flat()).to.have.members(jobNames);
    });

    it('closes while the master is away', async () => {
      const away = topology.failover({ key: jobQueues.prefix });
      let closed = false;
      void worker.close().then(() => (closed = true));
      await waitFor(() => closed, { what: 'the worker to close' });
      expect((await away).pid).to.be.a('number');
    });
  });
