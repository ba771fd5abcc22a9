import { expect } from 'chai';
import { EventEmitter, once } from 'node:events';
import { createLifecycle, type LifecycleOptions } from '#src/lifecycle.js';
import { createLogger } from '#src/logger.js';
import { attributeTo } from '#src/stray-errors.js';

const never = (): Promise<void> => new Promise(() => undefined);

function setUp(options: Partial<LifecycleOptions> = {}) {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger({
    app: 'api',
    level: 'info',
    destination: { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) },
  });
  const lifecycle = createLifecycle({ logger, timeoutMs: 10_000, ...options });
  const source = new EventEmitter();
  const exits: number[] = [];
  const exited = once(source, 'exited');
  lifecycle.onSignals(source, (code) => {
    exits.push(code);
    source.emit('exited');
  });
  const messages = () => lines.map((line) => line['msg']);
  return { lifecycle, source, exits, exited, lines, messages };
}

describe('shutdown', () => {
  it('stops what was added last first, each after the one before', async () => {
    const { lifecycle } = setUp();
    const seen: string[] = [];
    for (const name of ['database', 'redis', 'server'])
      lifecycle.add(name, async () => {
        seen.push(`${name} begins`);
        await Promise.resolve();
        seen.push(`${name} ends`);
      });
    await lifecycle.shutdown('test');
    expect(seen).to.deep.equal(
      ['server', 'redis', 'database'].flatMap((name) => [`${name} begins`, `${name} ends`]),
    );
  });

  it('is one promise, and stops each thing once', async () => {
    const { lifecycle } = setUp();
    let stops = 0;
    lifecycle.add('server', () => {
      stops += 1;
    });
    const first = lifecycle.shutdown('first');
    expect(lifecycle.shutdown('second')).to.equal(first);
    await first;
    await lifecycle.shutdown('third');
    expect(stops).to.equal(1);
  });

  it('runs every stop although others throw or reject, and names those', async () => {
    const { lifecycle, lines } = setUp();
    const seen: string[] = [];
    lifecycle.add('first', () => void seen.push('first'));
    lifecycle.add('throws', () => {
      throw new Error('thrown');
    });
    lifecycle.add('rejects', () => Promise.reject(new Error('rejected')));
    lifecycle.add('last', () => void seen.push('last'));
    await lifecycle.shutdown('test');
    expect(seen).to.deep.equal(['last', 'first']);
    const failures = lines.filter((line) => line['msg'] === 'shutdown step failed');
    expect(failures.map((line) => line['stop'])).to.deep.equal(['rejects', 'throws']);
  });

  it('abandons a stop that hangs at the deadline, and still begins the rest', async () => {
    const { lifecycle, lines } = setUp({ timeoutMs: 20 });
    const begun: string[] = [];
    lifecycle.add('quick', () => void begun.push('quick'));
    lifecycle.add('slow', () => {
      begun.push('slow');
      return never();
    });
    lifecycle.add('hangs', never);
    await lifecycle.shutdown('test');
    expect(begun).to.deep.equal(['slow', 'quick']);
    const abandoned = lines.filter((line) => line['msg'] === 'shutdown step timed out');
    expect(abandoned.map((line) => line['stop'])).to.deep.equal(['hangs', 'slow']);
  });

  it('stops what is added while it runs', async () => {
    const { lifecycle } = setUp();
    let stopped = false;
    lifecycle.add('starting', () => lifecycle.add('started late', () => void (stopped = true)));
    await lifecycle.shutdown('test');
    expect(stopped).to.equal(true);
  });
});

describe('onSignals', () => {
  for (const signal of ['SIGTERM', 'SIGINT'])
    it(`shuts down on ${signal} and exits with 0`, async () => {
      const { lifecycle, source, exits, exited, lines } = setUp();
      let stopped = false;
      lifecycle.add('server', () => void (stopped = true));
      source.emit(signal, signal);
      await exited;
      expect(stopped).to.equal(true);
      expect(exits).to.deep.equal([0]);
      expect(lines[0]).to.include({ msg: 'stopping', reason: signal });
    });

  it('exits with 1 if a stop failed', async () => {
    const { lifecycle, source, exits, exited } = setUp();
    lifecycle.add('server', () => Promise.reject(new Error('stuck')));
    source.emit('SIGTERM', 'SIGTERM');
    await exited;
    expect(exits).to.deep.equal([1]);
  });

  it('exits with 1 if the deadline passed', async () => {
    const { lifecycle, source, exits, exited } = setUp({ timeoutMs: 10 });
    lifecycle.add('server', never);
    source.emit('SIGTERM', 'SIGTERM');
    await exited;
    expect(exits).to.deep.equal([1]);
  });

  it('exits at once with 1 on a second signal, and only once', async () => {
    const { lifecycle, source, exits } = setUp();
    let finish: () => void = () => undefined;
    lifecycle.add('server', () => new Promise((resolve) => (finish = resolve)));
    source.emit('SIGTERM', 'SIGTERM');
    source.emit('SIGTERM', 'SIGTERM');
    expect(exits).to.deep.equal([1]);
    finish();
    await lifecycle.shutdown('again');
    expect(exits).to.deep.equal([1]);
  });

  it('takes the echo of one Ctrl-C for one signal', () => {
    let time = 5_000;
    const { lifecycle, source, exits } = setUp({ timeoutMs: 10, now: () => time });
    lifecycle.add('server', never);
    source.emit('SIGINT', 'SIGINT');
    time += 20;
    source.emit('SIGINT', 'SIGINT');
    expect(exits).to.deep.equal([]);
    time += 1_000;
    source.emit('SIGINT', 'SIGINT');
    expect(exits).to.deep.equal([1]);
  });

  for (const event of ['uncaughtException', 'unhandledRejection'])
    it(`logs an ${event}, shuts down and exits with 1`, async () => {
      const { lifecycle, source, exits, exited, lines } = setUp();
      let stopped = false;
      lifecycle.add('server', () => void (stopped = true));
      source.emit(event, new RangeError('bug'));
      await exited;
      expect(stopped).to.equal(true);
      expect(exits).to.deep.equal([1]);
      expect(lines[0]).to.include({ level: 'fatal', msg: 'uncaught error' });
      expect(lines[0]!['err']).to.include({ type: 'RangeError', message: 'bug' });
    });

  it('goes on after an uncaught error that a request or a session bears', () => {
    const { source, exits, messages } = setUp();
    attributeTo(
      () => true,
      () => void source.emit('uncaughtException', new Error('bug')),
    );
    expect(messages()).to.deep.equal([]);
    expect(exits).to.deep.equal([]);
  });

  it('waits less for the stops after an uncaught error', async () => {
    const { lifecycle, source, exits, exited } = setUp({ fatalTimeoutMs: 10, timeoutMs: 200 });
    lifecycle.add('server', never);
    source.emit('uncaughtException', new Error('bug'));
    await exited;
    expect(exits).to.deep.equal([1]);
    await lifecycle.shutdown('again');
  });

  it('exits with 1 if an uncaught error strikes while it stops', async () => {
    const { lifecycle, source, exits, exited, messages } = setUp();
    lifecycle.add('server', () => void source.emit('uncaughtException', new Error('bug')));
    source.emit('SIGTERM', 'SIGTERM');
    await exited;
    expect(exits).to.deep.equal([1]);
    expect(messages()).to.include('uncaught error');
  });
});
