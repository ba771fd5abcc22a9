import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Runs a program as the start of a process, and collects what it wrote. */
function run(program: string, settings = '') {
  const source = `
     import { runProcess, StartupError } from '@parley/service-kit';
     const env = { HOST: '127.0.0.1', INTERNAL_PORT: '0', ${settings} };
     await runProcess('provider-simulator', { env }, async ({ logger, lifecycle }) => {
       ${program}
     });`;
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

describe('a process', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    it(`stops in order on ${signal}, loses no line and exits with 0`, async () => {
      const { child, lines, said, ended } = run(`
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
    const { child, lines, said, ended } = run(`
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
      const { lines, ended, stderr } = run(`
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

  it('has written all lines up to its last warning when it is killed', async () => {
    const { lines, ended } = run(`
      logger.info('before');
      logger.warn('careful');
      process.kill(process.pid, 'SIGKILL');`);
    expect(await ended).to.equal(null);
    expect(lines.map((line) => line['msg'])).to.deep.equal(['before', 'careful']);
  });

  it('goes on when nobody reads its lines any more', async () => {
    const { child, said } = run(`
      process.stdin.once('data', () => {
        for (const level of ['info', 'warn', 'info', 'warn', 'info']) logger[level]('unheard');
        process.exit(7);
      });
      logger.info('up');`);
    await said('up');
    child.stdout.destroy();
    child.stdin.write('go');
    expect(await once(child, 'exit')).to.deep.equal([7, null]);
  });

  it('says in one line on stderr why it cannot start, and exits with 1', async () => {
    const { lines, ended, stderr } = run(`
      lifecycle.add('database', () => logger.info('database closed'));
      throw new StartupError('Port 8080 is in use');`);
    expect(await ended).to.equal(1);
    expect(stderr()).to.equal('Port 8080 is in use\n');
    expect(lines.map((line) => line['msg'])).to.include('database closed');
  });

  it('is ready when its app has started', async () => {
    const { child, lines, said, ended } = run('return { port: 1 };');
    await said('ready');
    expect(lines.at(-1)).to.include({ app: 'provider-simulator', port: 1 });
    const url = `http://127.0.0.1:${String(lines.at(-1)?.['internalPort'])}/readyz`;
    expect((await fetch(url)).status).to.equal(200);
    child.kill('SIGTERM');
    expect(await ended).to.equal(0);
  });

  it('says of every setting what is wrong, and logs nothing', async () => {
    const { lines, ended, stderr } = run('', `PORT: 'x', LOG_LEVEL: 'y'`);
    expect(await ended).to.equal(1);
    expect(stderr()).to.match(/^PORT="x" .*\nLOG_LEVEL="y" .*\n$/);
    expect(lines).to.deep.equal([]);
  });
});
