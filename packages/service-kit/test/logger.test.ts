import { expect } from 'chai';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { createLogger } from '#src/logger.js';

type Line = Record<string, unknown> & { err: Record<string, unknown> };

function capture(level: 'info' | 'silent' | 'error' = 'info') {
  const written: string[] = [];
  const logger = createLogger({
    app: 'api',
    level,
    destination: { write: (line) => written.push(line) },
  });
  return { logger, written, line: () => JSON.parse(written.at(-1)!) as Line };
}

describe('createLogger', () => {
  it('writes JSON lines with app, level and time', () => {
    const { logger, written, line } = capture();
    logger.info({ agentId: 'a1' }, 'agent created');
    expect(written).to.have.length(1);
    expect(written[0]).to.match(/^\{.*\}\n$/);
    expect(line()).to.include({ app: 'api', level: 'info', agentId: 'a1', msg: 'agent created' });
    expect(Date.parse(String(line()['time']))).to.be.closeTo(Date.now(), 60_000);
  });

  it('writes nothing below its level, and nothing at all when silent', () => {
    const quiet = capture('error');
    quiet.logger.warn('hush');
    const silent = capture('silent');
    silent.logger.fatal('hush');
    expect([...quiet.written, ...silent.written]).to.deep.equal([]);
  });

  it('redacts the bindings of a child too', () => {
    const { logger, written } = capture();
    logger.child({ apiKey: 'hush', nested: { token: 'hush' } }).info('bound');
    expect(written[0]).to.include('bound').and.not.to.include('hush');
  });

  it('redacts what is formatted into the message', () => {
    const { logger, written } = capture();
    logger.info('dialled with %s and %j', 'sk-abcdefghij', { sessionId: 'hush' });
    expect(written[0])
      .to.include('[redacted]')
      .and.not.to.match(/abcdefghij|hush/);
  });

  it('tells the type, message, stack, code and cause of an error, scrubbed, and no more', () => {
    const { logger, line, written } = capture();
    const cause = Object.assign(new TypeError('no route to redis://:hush@redis'), {
      code: 'EHOST',
    });
    const err = Object.assign(new Error('refused Bearer hush', { cause }), { config: 'hush' });
    logger.error({ err }, 'call failed');
    expect(line().err).to.have.all.keys('type', 'message', 'stack', 'cause');
    expect(line().err).to.include({ type: 'Error', message: 'refused Bearer [redacted]' });
    expect(line().err['stack']).to.include('logger.test');
    expect(line().err['cause']).to.include({ type: 'TypeError', code: 'EHOST' });
    expect(written[0]).not.to.include('hush');
  });

  it('takes an error as the first argument, or under the name error', () => {
    const { logger, line } = capture();
    logger.error(new RangeError('too far'));
    expect(line()).to.include({ msg: 'too far' });
    expect(line().err).to.include({ type: 'RangeError' });
    logger.error({ error: new RangeError('too far') }, 'failed');
    expect(line()['error']).to.include({ type: 'RangeError' });
  });

  it('tells every error of an aggregate, and ends a circle of causes', () => {
    const { logger, line } = capture();
    const first: Error = new Error('first');
    first.cause = first;
    logger.error(new AggregateError([first, new Error('second')], 'both'));
    expect(line().err['errors']).to.have.length(2);
  });

  it('tells the method and path of a request alone', () => {
    const { logger, line, written } = capture();
    const req = new IncomingMessage(new Socket());
    Object.assign(req, {
      method: 'GET',
      url: '/x?sessionId=hush',
      headers: { 'x-api-key': 'hush' },
    });
    logger.info({ req }, 'upgrade');
    expect(line()['req']).to.deep.equal({ method: 'GET', url: '/x' });
    expect(written[0]).not.to.include('hush');
  });

  it('survives a circular object', () => {
    const { logger, line } = capture();
    const loop: Record<string, unknown> = { name: 'loop' };
    loop['self'] = loop;
    logger.info({ loop }, 'circular');
    expect(line()['loop']).to.include({ name: 'loop' });
  });
});
