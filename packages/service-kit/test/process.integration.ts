import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Runs a program that has lifecycle and logger, and collects what it wrote. */
function run(program: string) {
  const source = `
     import { createLifecycle, createLogger, reportStartupFailure, StartupError } from '@parley/service-kit';
     const logger = createLogger({ app: 'worker', level: 'info' });
     const lifecycle = createLifecycle({ logger, timeoutMs: 5000 });
     lifecycle.onSignals(process, (code) => process.exit(code));
     ${program}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    cwd: import.meta.dirname,
  });
  const lines: Record<string, unknown>[] = [];
  const reader = createInterface(child.stdout);
  reader.on('line', (line) => lines.push(JSON.parse(line) as Record<string, unknown>));
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const said = async (message: string): Promise<void> => {
    while (!lines.some((line) => line['msg'] === message)) await once(reader, 'line');
  };
  const ended = Promise.all([once(child, 'close'), once(reader, 'close')]).then(
    ([[code]]) => code as number | null,
  );
  return { child, lines, said, ended, stderr: () => stderr };
}

const keepAlive = 'setInterval(() => undefined, 1000);';

describe('a process', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    it(`stops in order on ${signal}, loses no line and exits with 0`, async () => {
      const { child, lines, said, ended } = run(`${keepAlive}
        lifecycle.add('database', () => logger.info('database closed'));
        lifecycle.add('server', async () => logger.info('server closed'));
        logger.info('up');`);
      await said('up');
      child.kill(signal);
      expect(await ended).to.equal(0);
      expect(lines.map((line) => line['msg'])).to.deep.equal([
        'up',
        'stopping',
        'server closed',
        'database closed',
        'stopped',
      ]);
    });

  it('ends at once with 1 on a second signal', async () => {
    const { child, lines, said, ended } = run(`${keepAlive}
      lifecycle.add('server', () => new Promise(() => undefined));
      logger.info('up');`);
    await said('up');
    child.kill('SIGTERM');
    await said('stopping');
    child.kill('SIGTERM');
    expect(await ended).to.equal(1);
    expect(lines.at(-1)).to.include({ msg: 'second signal received, exiting immediately' });
  });

  for (const [what, bug] of [
    ['an exception nobody catches', `setTimeout(() => { throw new Error('bug'); }, 1);`],
    ['a rejection nobody handles', `void Promise.reject(new Error('bug'));`],
  ] as const)
    it(`logs ${what}, stops and exits with 1`, async () => {
      const { lines, ended, stderr } = run(`${keepAlive}
        lifecycle.add('server', () => logger.info('server closed'));
        ${bug}`);
      expect(await ended).to.equal(1);
      expect(lines[0]).to.include({ level: 'fatal', msg: 'uncaught error' });
      expect(lines.map((line) => line['msg'])).to.include('server closed');
      expect(stderr()).to.equal('');
    });

  it('loses no line when it exits in the middle of writing', async () => {
    const { lines, ended } = run(`
      for (let n = 0; n < 5000; n += 1) logger.info({ n, filler: 'x'.repeat(200) }, 'line');
      process.exit(3);`);
    expect(await ended).to.equal(3);
    expect(lines.map((line) => line['n'])).to.deep.equal(Array.from({ length: 5000 }, (_, n) => n));
  });

  it('says in one line on stderr why it cannot start, and exits with 1', async () => {
    const { lines, ended, stderr } = run(`${keepAlive}
      await Promise.reject(new StartupError('Port 8080 is in use')).catch(reportStartupFailure);`);
    expect(await ended).to.equal(1);
    expect(stderr()).to.equal('Port 8080 is in use\n');
    expect(lines).to.deep.equal([]);
  });
});
