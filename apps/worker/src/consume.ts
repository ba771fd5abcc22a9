import { setTimeout as delay } from 'node:timers/promises';
import { Worker, type Processor } from 'bullmq';
import { createJobsClient, jobQueues, type RedisOptions } from '@parley/session-store';

export type ConsumerOptions<Data> = {
  readonly queue: string;
  readonly redis: RedisOptions;
  readonly concurrency: number;
  readonly process: Processor<Data, void>;
  readonly onError: (error: Error) => void;
};

export type Consumer = {
  /** Takes no more jobs, and waits so long for those that run. */
  close(timeoutMs: number): Promise<void>;
};

/** BullMQ renews the locks of the jobs that it waits for. Who waits no longer lets go of them, so that other workers get them. */
class LeavableWorker<Data> extends Worker<Data, void> {
  leave(): Promise<void> {
    return this.lockManager.close();
  }
}

export function consume<Data>(options: ConsumerOptions<Data>): Consumer {
  const { queue, redis, concurrency, process, onError } = options;
  let closing = false;
  const connection = createJobsClient({ ...redis, name: 'parley-worker' }, () => !closing);
  const worker = new LeavableWorker<Data>(queue, process, {
    prefix: jobQueues.prefix,
    connection,
    concurrency,
    // The job of a worker that died goes to another one after some seconds; by default it is a minute.
    lockDuration: 5000,
    stalledInterval: 5000,
    // How long it rests after it lost Redis; by default it is a quarter of a minute.
    runRetryDelay: 1000,
  });
  worker.on('error', onError);
  boundWaits(worker);
  return {
    async close(timeoutMs) {
      closing = true;
      const closed = connectionsSettled(worker).then(() => worker.close());
      await Promise.race([closed, delay(timeoutMs, undefined, { ref: false })]);
      await worker.leave();
      // Without effect on what has closed; waits for ever on what has not.
      void worker.disconnect().catch(onError);
      connection.disconnect();
    },
  };
}

/** How much longer than it blocks a wait for a job may take. */
const patienceMs = 5000;

/**
 * BullMQ gives up a blocking command that a frozen master holds, but may then wait for ever until the connection to a cluster is made again,
 * and take no more jobs. Here the wait ends: the worker looks for jobs, and blocks anew.
 */
function boundWaits(worker: Worker): void {
  const backend = worker.getBackend();
  const wait = backend.waitForJob.bind(backend);
  backend.waitForJob = async (blockSeconds) => {
    const over = new AbortController();
    const overdue = delay(blockSeconds * 1000 + patienceMs, null, { signal: over.signal });
    try {
      return await Promise.race([wait(blockSeconds), overdue]);
    } finally {
      over.abort();
    }
  };
}

/** BullMQ's close never ends for a connection that is just being made again, so this one is awaited first, or given up by its retryStrategy. */
async function connectionsSettled(worker: Worker): Promise<void> {
  const { client, blockingClient } = worker.getBackend();
  for (const connection of await Promise.all([client, blockingClient]))
    if (connection && !['ready', 'end'].includes(connection.status))
      await new Promise<void>((resolve) => {
        connection.once('ready', () => resolve()).once('end', () => resolve());
      });
}
