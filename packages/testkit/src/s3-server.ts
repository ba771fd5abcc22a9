import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '@parley/embedded';
import { findProgram } from './programs.js';
import { entrust, release } from './reaper.js';
import { forget, stopAtTeardown } from './teardown.js';
import { waitFor } from './wait-for.js';

export type S3Server = { readonly url: string; readonly bucket: string; stop(): Promise<void> };

const bucket = 'parley-test';

/**
 * An S3-compatible server with one empty bucket, which accepts every signature. Suites that call
 * this must call needs('moto_server').
 */
export async function startS3Server(): Promise<S3Server> {
  const program = findProgram('moto_server');
  if (program === undefined) throw new Error('moto_server is not installed');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(program, ['-H', '127.0.0.1', '-p', String(port)], {
    stdio: 'ignore',
    detached: true,
  });
  const remains = { pid: child.pid ?? 0, signal: 'SIGKILL' } as const;
  entrust(remains);
  child.once('exit', () => release(remains));
  const server = {
    url,
    bucket,
    async stop() {
      forget(server);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
  stopAtTeardown(server);
  const madeBucket = () =>
    fetch(`${url}/${bucket}`, { method: 'PUT' }).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitFor(madeBucket, { what: `${url} to answer`, timeoutMs: 25_000 });
  return server;
}
