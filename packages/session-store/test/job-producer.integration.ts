import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { needs, startRedisServer, tcpProxy, testRedis, waitFor } from '@parley/testkit';
import { jobQueues, openJobProducer, type JobProducer } from '#src/job-producer.js';
import { connectRedis } from '#src/redis-client.js';

describe('the job producer', () => {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  const produce = async (url: string): Promise<JobProducer> => {
    const redis = await connectRedis({ url, name: 'test' });
    ends.push(() => redis.disconnect());
    const producer = await openJobProducer(redis, () => undefined);
    ends.push(() => producer.close());
    return producer;
  };
  const openQueue = (url: string, name: string): Queue => {
    const connection = new Redis(url, { maxRetriesPerRequest: null });
    ends.push(() => connection.disconnect());
    const queue = new Queue(name, { prefix: jobQueues.prefix, connection });
    ends.push(() => queue.close());
    return queue;
  };

  it('queues one expiry per approval, however often it is told', async () => {
    const { url } = await testRedis();
    const producer = await produce(url);
    const id = randomUUID();
    const deadline = new Date(Date.now() + 60_000);
    await producer.expireApproval(id, deadline);
    await producer.expireApproval(id, new Date(Date.now() + 5));
    const jobs = await openQueue(url, jobQueues.approvals).getDelayed();
    expect(jobs.map((job) => ({ id: job.id, name: job.name, data: job.data as unknown })))
      .to.deep //
      .equal([{ id: `apr-${id}`, name: 'expire-approval', data: { id } }]);
    expect(jobs[0]!.timestamp + jobs[0]!.delay).to.equal(deadline.getTime());
  });

  it('queues an expiry that is due already', async () => {
    const { url } = await testRedis();
    await (await produce(url)).expireApproval(randomUUID(), new Date(Date.now() - 5));
    expect(await openQueue(url, jobQueues.approvals).getWaitingCount()).to.equal(1);
  });

  it('queues one job to resume a run, however often it is told', async () => {
    const { url } = await testRedis();
    const producer = await produce(url);
    await producer.enqueueRun('r');
    await producer.enqueueRun('r');
    const jobs = await openQueue(url, jobQueues.runs).getWaiting();
    expect(jobs.map(({ name, data }) => [name, data as unknown])).to.deep.equal([
      ['resume-run', { runId: 'r' }],
    ]);
  });

  it('is not opened if Redis is lost meanwhile, since it would never work', async () => {
    const proxy = await tcpProxy({ target: (await testRedis()).url });
    ends.push(() => proxy.stop());
    const redis = await connectRedis({ url: proxy.url, name: 'test' });
    ends.push(() => redis.disconnect());
    proxy.refuse();
    proxy.cut();
    const opened: unknown = await openJobProducer(redis, () => undefined).catch(
      (error: unknown) => error,
    );
    expect(opened).to.be.instanceOf(Error);
  });

  describe('without Redis', () => {
    needs('redis-server');

    it('rejects at once, and works again when Redis is back', async () => {
      const server = await startRedisServer();
      ends.push(() => server.stop());
      const producer = await produce(server.url);
      await producer.enqueueRun('first');
      await server.kill();
      const failure: unknown = await producer
        .expireApproval(randomUUID(), new Date(Date.now() + 1000))
        .catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(Error);
      await server.restart();
      const resumed = () =>
        producer.enqueueRun('second').then(
          () => true,
          () => false,
        );
      await waitFor(resumed, { what: 'Redis to take jobs again' });
    });
  });
});
