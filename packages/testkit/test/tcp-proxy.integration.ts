import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { tcpProxy, testRedis, waitFor, type TcpProxy } from '#src/index.js';

describe('a network that fails on command', () => {
  let direct: Redis;
  let proxied: Redis;
  let proxy: TcpProxy;

  beforeEach(async () => {
    const { url } = await testRedis();
    proxy = await tcpProxy({ target: url });
    direct = new Redis(url);
    proxied = new Redis(proxy.url, { retryStrategy: () => 10, maxRetriesPerRequest: 0 });
    proxied.on('error', () => undefined);
    await proxied.ping();
  });
  afterEach(async () => {
    direct.disconnect();
    proxied.disconnect();
    await proxy.stop();
  });

  const failureOf = (command: Promise<unknown>): Promise<unknown> =>
    command.then(
      () => undefined,
      (error: unknown) => error,
    );

  const back = () =>
    waitFor(() => proxied.status === 'ready', { what: 'the client to be connected again' });

  it('loses a reply although the server has done what was asked', async () => {
    const cut = proxy.cutNextReply('incr');
    await proxied.set('other', 'passes');
    const failure = await failureOf(proxied.incr('counter'));
    await cut;
    expect(failure).to.be.instanceOf(Error);
    expect(await direct.get('counter')).to.equal('1');
    await back();
    expect(await proxied.incr('counter')).to.equal(2);
  });

  it('cuts every connection, and lets new ones in', async () => {
    const closed = new Promise((resolve) => proxied.once('close', resolve));
    proxy.cut();
    await closed;
    await back();
    expect(await proxied.ping()).to.equal('PONG');
    expect(proxy.connections).to.equal(1);
  });

  it('leads new connections to another server', async () => {
    const other = createServer((socket) => socket.end('elsewhere')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    proxy.retarget(`redis://127.0.0.1:${(other.address() as AddressInfo).port}`);
    const newcomer = connect(proxy.port, '127.0.0.1');
    const [greeting] = (await once(newcomer, 'data')) as [Buffer];
    expect(greeting.toString()).to.equal('elsewhere');
    expect(await proxied.ping()).to.equal('PONG');
    newcomer.destroy();
    other.close();
    await once(other, 'close');
  });

  it('swallows everything until it is healed', async () => {
    proxy.blackHole();
    let answered = false;
    const answer = proxied.set('key', 'late').finally(() => (answered = true));
    const newcomer = new Redis(proxy.url);
    const welcome = newcomer.get('key');
    await waitFor(() => proxy.connections === 2, { what: 'the newcomer to be held' });
    await direct.ping();
    expect([answered, await direct.get('key')]).to.deep.equal([false, null]);
    proxy.heal();
    expect(await answer).to.equal('OK');
    await welcome;
    newcomer.disconnect();
  });

  it('refuses newcomers until it is healed', async () => {
    proxy.refuse();
    const socket = connect(proxy.port, '127.0.0.1');
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).to.equal('ECONNRESET');
    proxy.heal();
    expect(await proxied.ping()).to.equal('PONG');
  });

  it('delays without changing bytes or their order', async () => {
    proxy.delay(5);
    const values = Array.from({ length: 50 }, (_, i) => `${i}`.repeat(1_000));
    await Promise.all(values.map((value) => proxied.rpush('list', value)));
    proxy.delay(0);
    expect(await proxied.lrange('list', 0, -1)).to.deep.equal(values);
  });

  it('passes on that a side has ended', async () => {
    const server: Server = createServer((socket) => socket.end('bye'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const other = await tcpProxy({ target: `tcp://127.0.0.1:${port}` });
    const socket: Socket = connect(other.port, '127.0.0.1');
    const [bye] = (await once(socket, 'data')) as [Buffer];
    await once(socket, 'end');
    expect(bye.toString()).to.equal('bye');
    await other.stop();
    server.close();
  });
});
