import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { appProgram } from '@parley/testkit';

const program = appProgram('provider-simulator');

describe('the simulator as a program', () => {
  let child: ChildProcess | undefined;
  afterEach(() => child?.kill('SIGKILL'));

  const start = (env: Record<string, string>) => {
    const started = spawn(process.execPath, [program], {
      env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0', INTERNAL_PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    return started;
  };

  it('says where it listens, answers, and ends on SIGTERM', async () => {
    const started = start({});
    const ready = await firstLine(started, 'ready');
    const health = await fetch(`http://127.0.0.1:${String(ready['internalPort'])}/readyz`);
    expect(health.status).to.equal(200);
    const url = `http://127.0.0.1:${String(ready['port'])}/v1/models`;
    const models = await fetch(url, { headers: { authorization: 'Bearer k' } });
    expect(models.status).to.equal(200);
    started.kill('SIGTERM');
    const [code] = (await once(started, 'exit')) as [number | null];
    expect(code).to.equal(0);
  });

  it('refuses to start with a setting that is wrong, in plain words', async () => {
    const started = start({ PORT: 'eighty' });
    const chunks: Buffer[] = [];
    started.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    const [code] = (await once(started, 'close')) as [number | null];
    expect(code).to.equal(1);
    expect(Buffer.concat(chunks).toString('utf8')).to.include('PORT').and.not.include('    at ');
  });
});

async function firstLine(child: ChildProcess, message: string): Promise<Record<string, unknown>> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const entry = JSON.parse(line) as Record<string, unknown>;
    if (entry['msg'] === message) return entry;
  }
  throw new Error(`the program ended before it said "${message}"`);
}
