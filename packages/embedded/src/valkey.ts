import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import { Redis } from 'ioredis';
import { EmbeddedEngineError, type EmbeddedServer } from './embedded-engine.js';
import { freePort } from './free-port.js';
import type { ValkeyWorkerData, ValkeyWorkerMessage } from './valkey-messages.js';

export type EmbeddedValkeyOptions = {
  /** A free port by default. */
  port?: number;
  onLog?: (line: string) => void;
  /** Called once if the server dies without stop(). */
  onExit?: (error: EmbeddedEngineError) => void;
};

type Boot = { worker: Worker } | { failed: string; portTaken: boolean };

const PORT_ATTEMPTS = 5;

/** Starts an empty Valkey in a worker thread. It stores nothing on disk, by design. */
export async function startEmbeddedValkey(
  options: EmbeddedValkeyOptions = {},
): Promise<EmbeddedServer> {
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort());
    const boot = await bootWorker(port, options);
    if ('worker' in boot) return serve({ worker: boot.worker, port, options });
    const another = boot.portTaken && options.port === undefined && attempt < PORT_ATTEMPTS;
    if (!another)
      throw new EmbeddedEngineError(`The embedded Valkey did not start: ${boot.failed}`);
  }
}

async function bootWorker(port: number, { onLog }: EmbeddedValkeyOptions): Promise<Boot> {
  const worker = new Worker(new URL('./valkey-worker.js', import.meta.url), {
    workerData: { port } satisfies ValkeyWorkerData,
    stdout: true,
    stderr: true,
    execArgv: ['--no-warnings'],
  });
  for (const input of [worker.stdout, worker.stderr])
    createInterface({ input })
      .on('error', () => undefined)
      .on('line', (line) => onLog?.(line));
  const boot = await new Promise<Boot>((resolve) => {
    worker.on('message', (message: ValkeyWorkerMessage) => {
      if ('log' in message) onLog?.(message.log);
      else resolve('failed' in message ? message : { worker });
    });
    worker.on('error', (error) => resolve({ failed: describeFault(error), portTaken: false }));
    worker.once('exit', () => resolve({ failed: 'its thread ended', portTaken: false }));
  });
  if ('failed' in boot) await worker.terminate();
  return boot;
}

async function serve(running: {
  worker: Worker;
  port: number;
  options: EmbeddedValkeyOptions;
}): Promise<EmbeddedServer> {
  const { worker, port, options } = running;
  let stopped: Promise<void> | undefined;
  let fault = 'its thread ended';
  const stop = () => (stopped ??= worker.terminate().then(() => undefined));
  worker.on('error', (error) => (fault = describeFault(error)));
  worker.once('exit', () => {
    if (stopped !== undefined) return;
    stopped = Promise.resolve();
    options.onExit?.(new EmbeddedEngineError(`The embedded Valkey has died: ${fault}`));
  });
  try {
    const password = await protect(port);
    return { url: `redis://:${password}@127.0.0.1:${port}`, stop };
  } catch (error) {
    await stop();
    throw new EmbeddedEngineError('The embedded Valkey does not respond', { cause: error });
  }
}

/**
 * Sets a password, so that other users of this machine have no access, and proves that replies
 * arrive.
 */
async function protect(port: number): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  const client = new Redis({
    host: '127.0.0.1',
    port,
    lazyConnect: true,
    connectTimeout: 5_000,
    commandTimeout: 5_000,
    retryStrategy: () => null,
  });
  client.on('error', () => undefined); // the pending command rejects with the same error
  try {
    await client.connect();
    await client.config('SET', 'requirepass', password);
    await client.ping();
    return password;
  } finally {
    client.disconnect();
  }
}

/** WASI's exit is reported as a symbol, not as an Error. */
function describeFault(error: unknown): string {
  return error instanceof Error ? error.message : 'it shut down by itself';
}
