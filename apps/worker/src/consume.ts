import { Worker, type Processor } from 'bullmq';
import pTimeout from 'p-timeout';
import { createJobsClient, jobQueues, type RedisOptions } from '@parley/session-store';

export type ConsumerOptions<Data> = {
  readonly queue: string;
  readonly redis: RedisOptions;
  readonly concurrency: number;
  readonly process: Processor<Data, void>;
  readonly onError: (error: Error) => void;
};

export type Consumer = {
  /**
   * Rejects if Redis is lost before BullMQ has connected: then it never takes a job, also when Redis
   * is back.
   */
  readonly ready: Promise<unknown>;
  /** Takes no more jobs, and waits this long for running ones. */
  close(timeoutMs: number): Promise<void>;
};

export function consume<Data>(options: ConsumerOptions<Data>): Consumer {
  const { queue, redis, concurrency, process, onError } = options;
  let [closing, left] = [false, false];
  const connection = createJobsClient({ ...redis, name: 'parley-worker' }, () => !closing);
  const worker = new Worker<Data, void>(queue, process, {
    prefix: jobQueues.prefix,
    connection,
    concurrency,
    // The job of a worker that died goes to another one after some seconds; the default is a
    // minute.
    lockDuration: 5000,
    stalledInterval: 5000,
    // How long it pauses after losing Redis; the default is 15 seconds.
    runRetryDelay: 1000,
  });
  worker.on('error', (error) => {
    if (!left) onError(error);
  });
  boundWaits(worker);
  return {
    ready: worker.waitUntilReady(),
    async close(timeoutMs) {
      closing = true;
      const closed = connectionsSettled(worker).then(() => worker.close());
      await pTimeout(closed, { milliseconds: timeoutMs, message: false });
      // A job that is still running goes to another worker: without a connection, BullMQ cannot
      // renew its lock, though it keeps trying.
      left = true;
      // Has no effect on a closed connection, and waits forever for one that is not.
      void worker.disconnect().catch(onError);
      connection.disconnect();
    },
  };
}

/** How much longer than its blocking time a wait for a job may take. */
const patienceMs = 5000;

/**
 * BullMQ gives up a blocking command that a frozen master holds, but may then wait forever for the
 * connection to a cluster, and take no more jobs. This ends the wait: the worker looks for jobs,
 * and blocks again.
 */
function boundWaits(worker: Worker): void {
  const backend = worker.getBackend();
  const wait = backend.waitForJob.bind(backend);
  backend.waitForJob = (blockSeconds) =>
    pTimeout(wait(blockSeconds), {
      milliseconds: blockSeconds * 1000 + patienceMs,
      fallback: () => null,
    });
}

/**
 * BullMQ's close() never ends while a connection is being re-established, so wait for it first, or
 * until its retryStrategy gives up. One that was never established is of no use to BullMQ.
 */
async function connectionsSettled(worker: Worker): Promise<void> {
  const { client, blockingClient } = worker.getBackend();
  for (const opening of [client, blockingClient]) {
    const connection = await opening?.catch(() => undefined);
    if (connection && !['ready', 'end'].includes(connection.status))
      await new Promise<void>((resolve) => {
        connection.once('ready', () => resolve()).once('end', () => resolve());
      });
  }
}
