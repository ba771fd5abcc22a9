import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { EmbeddedEngineError, type EmbeddedServer } from '#src/embedded-engine.js';
import { startEmbeddedValkey } from '#src/valkey.js';
import { waitFor } from '@parley/testkit';

describe('embedded Valkey', () => {
  const clients: Redis[] = [];
  const logged: string[] = [];
  let server: EmbeddedServer;
  const client = (url = server.url): Redis => {
    const made = new Redis(url, { retryStrategy: () => null });
    made.on('error', () => undefined);
    clients.push(made);
    return made;
  };

  before(async () => {
    server = await startEmbeddedValkey({ onLog: (line) => logged.push(line) });
  });
  afterEach(() => {
    for (const made of clients.splice(0)) made.disconnect();
  });
  after(() => server.stop());

  it('answers a long run of commands one by one, without waiting for its timer', async () => {
    // At a reply per timer pass (100 ms) this would run into the suite's time limit.
    const redis = client();
    for (let i = 0; i < 1_000; i++) await redis.incr('counter');
    expect(await redis.get('counter')).to.equal('1000');
  });

  it('runs Lua with JSON, server time and conditional writes', async () => {
    const redis = client();
    const script = `
      local state = cjson.decode(redis.call('GETDEL', KEYS[1]) or '{"missing":true}')
      if state.missing then return {'gone', redis.call('TIME')[1]} end
      redis.call('SET', KEYS[2], cjson.encode(state), 'PX', 60000, 'NX')
      return {state.name, cmsgpack.unpack(cmsgpack.pack(7))}`;
    await redis.set('{t}:token', '{"name":"first"}');
    const run = () => redis.eval(script, 2, '{t}:token', '{t}:spent');
    expect(await run()).to.deep.equal(['first', 7]);
    expect(((await run()) as string[])[0]).to.equal('gone');
    expect(await redis.pttl('{t}:spent')).to.be.within(1, 60_000);
  });

  it('wakes blocked readers of lists and streams and delivers published messages', async () => {
    const [redis, blocked, subscriber] = [client(), client(), client()];
    await subscriber.subscribe('news');
    const message = once(subscriber, 'message');
    const popped = blocked.blpop('queue', 0);
    await redis.rpush('queue', 'job');
    expect(await popped).to.deep.equal(['queue', 'job']);
    const read = blocked.xread('BLOCK', 0, 'STREAMS', 'events', '$');
    await redis.multi().ping().exec();
    await redis.publish('news', 'hello');
    expect(await message).to.deep.equal(['news', 'hello']);
    await redis.xadd('events', '*', 'k', 'v');
    expect(JSON.stringify(await read)).to.contain('"k","v"');
  });

  it('refuses a client without its password', async () => {
    const url = new URL(server.url);
    url.password = '';
    const refusal = await client(url.href)
      .ping()
      .catch((error: unknown) => error as Error);
    expect(String(refusal)).to.contain('NOAUTH');
  });

  it('hands its log to the caller', async () => {
    const line = '* Ready to accept connections tcp';
    await waitFor(() => logged.includes(line), { what: 'the line that says it is ready' });
    expect(logged).to.include(line);
  });

  it('prints nothing itself', async () => {
    const fixture = new URL('./fixtures/start-valkey.js', import.meta.url).pathname;
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [fixture]);
    expect(stdout + stderr).to.equal('done\n');
  });

  it('says that a port is taken', async () => {
    const port = Number(new URL(server.url).port);
    const failure = await startEmbeddedValkey({ port }).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(EmbeddedEngineError);
    expect((failure as Error).message).to.contain('EADDRINUSE');
  });

  it('tells when the server has died, once', async () => {
    const deaths: Error[] = [];
    let died: () => void;
    const death = new Promise<void>((resolve) => (died = resolve));
    const onExit = (error: Error) => {
      deaths.push(error);
      died();
    };
    const mortal = await startEmbeddedValkey({ onExit });
    client(mortal.url)
      .call('SHUTDOWN')
      .catch(() => undefined);
    await death;
    await mortal.stop();
    expect(deaths.map((error) => error.message)).to.deep.equal([
      'The embedded Valkey has died: it shut down by itself',
    ]);
  });

  it('stops twice without complaint, says nothing about it, and frees the port', async () => {
    const deaths: Error[] = [];
    const other = await startEmbeddedValkey({ onExit: (error) => deaths.push(error) });
    await Promise.all([other.stop(), other.stop()]);
    const socket = connect(Number(new URL(other.url).port), '127.0.0.1');
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).to.equal('ECONNREFUSED');
    expect(deaths).to.deep.equal([]);
  });
});
