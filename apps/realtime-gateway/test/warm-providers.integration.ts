import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { WebSocketServer, type WebSocket } from 'ws';
import { waitFor } from '@parley/testkit';
import { WarmProviders, type ProviderTarget } from '#src/relay/warm-providers.js';
import { startRawProvider } from './support/raw-provider.js';
import { Stage } from './support/stage.js';
import { TestClient } from './support/test-client.js';

describe('warm provider sockets', () => {
  const created = '{"type":"session.created"}';
  let server: WebSocketServer;
  let peers: WebSocket[];
  let url: string;
  let pools: WarmProviders[];
  beforeEach(async () => {
    [peers, pools] = [[], []];
    server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    server.on('connection', (peer) => {
      peers.push(peer);
      peer.send(created);
    });
    await once(server, 'listening');
    url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/v1/realtime?model=m`;
  });
  afterEach(async () => {
    for (const pool of pools) pool.close();
    for (const peer of server.clients) peer.terminate();
    await new Promise((resolve) => server.close(resolve));
  });

  const poolOf = (options: ConstructorParameters<typeof WarmProviders>[0]) => {
    const pool = new WarmProviders(options);
    pools.push(pool);
    return pool;
  };
  const target = (change: Partial<ProviderTarget> = {}): ProviderTarget => ({
    endpoint: { url, headers: { Authorization: 'Bearer a' } },
    lookup: undefined,
    organizationId: null,
    ...change,
  });
  const refused = (reason: string) => {
    throw new Error(reason);
  };
  /** What a session sees of its provider, from the handshake on. */
  const take = async (pool: WarmProviders, from = target()) => {
    const socket = pool.dial(from, refused);
    const seen: string[] = [];
    for (const name of ['upgrade', 'open'] as const) socket.on(name, () => seen.push(name));
    socket.on('message', (data: Buffer) => seen.push(data.toString()));
    await waitFor(() => seen.includes(created), { what: 'the greeting' });
    return { socket, seen };
  };
  /** All sockets that were ever dialled, once there are so many and those that wait are ready. */
  const dialled = async (count: number) => {
    await waitFor(() => peers.length >= count, { what: `${count} sockets` });
    const probes = peers.map((peer) => once(peer, 'pong'));
    for (const peer of peers) peer.ping();
    await Promise.all(probes);
    return peers.length;
  };

  it('are dialled when they are needed, unless a number is set', async () => {
    const pool = poolOf({ size: 0 });
    await take(pool);
    expect(await dialled(1)).to.equal(1);
    expect(pool.waiting).to.equal(0);
  });

  it('tell the next session what it would have seen of a new one, and serve it alone', async () => {
    const pool = poolOf({ size: 1 });
    const first = await take(pool);
    expect(await dialled(2)).to.equal(2);
    const second = await take(pool);
    expect(second.seen).to.deep.equal(first.seen).and.to.deep.equal(['upgrade', 'open', created]);
    expect(await dialled(3)).to.equal(3);
    const heard = once(peers[1]!, 'message');
    second.socket.send('from the second');
    expect(String((await heard)[0])).to.equal('from the second');
    peers[1]!.send('to the second');
    await waitFor(() => second.seen.includes('to the second'), { what: 'the answer' });
    expect(first.seen).to.have.length(3);
  });

  it('never go to another organization, another address or other credentials', async () => {
    const pool = poolOf({ size: 1 });
    await take(pool);
    await dialled(2);
    const others = [
      target({ organizationId: 'other' }),
      target({ endpoint: { url: `${url}2`, headers: { Authorization: 'Bearer a' } } }),
      target({ endpoint: { url, headers: { Authorization: 'Bearer b' } } }),
    ];
    for (const [n, other] of others.entries()) {
      await take(pool, other);
      expect(await dialled(2 * n + 4)).to.equal(2 * n + 4);
    }
  });

  it('that the provider closed are replaced by a new one', async () => {
    const pool = poolOf({ size: 1 });
    await take(pool);
    await dialled(2);
    peers[1]!.close();
    await waitFor(() => pool.waiting === 0, { what: 'the loss' });
    peers.length = 0;
    await take(pool);
    expect(await dialled(2)).to.equal(2);
  });

  it('of a provider that says more than a session begins with are closed', async () => {
    const pool = poolOf({ size: 1 });
    for (const words of [Array<string>(4).fill('more'), ['m'.repeat(256 * 1024)]]) {
      peers.length = 0;
      await take(pool);
      await dialled(2);
      for (const word of words) peers[1]!.send(word);
      await waitFor(() => pool.waiting === 0, { what: 'the loss' });
      expect(pool.lines).to.equal(0);
    }
  });

  it('of a provider that is in the middle of a message are not used', async () => {
    const pool = poolOf({ size: 1 });
    await take(pool);
    await dialled(2);
    peers[1]!.send('half of', { fin: false });
    const pong = once(peers[1]!, 'pong');
    peers[1]!.ping();
    await pong;
    const { socket } = await take(pool);
    const heard = once(peers[2]!, 'message');
    socket.send('to a new one');
    expect(String((await heard)[0])).to.equal('to a new one');
  });

  it('end when they are old, and for good if nobody uses their connection', async () => {
    const pool = poolOf({ size: 2, keepMs: 50 });
    await take(pool);
    await waitFor(() => pool.waiting === 0, { what: 'their end' });
    await waitFor(() => peers.slice(1).every(({ readyState }) => readyState === 3), {
      what: 'their sockets to close',
    });
    expect(pool.waiting).to.equal(0);
    expect(pool.lines).to.equal(0);
  });

  it('keep nothing of a connection once the provider has closed them all', async () => {
    const pool = poolOf({ size: 2 });
    await take(pool);
    await dialled(3);
    expect(pool.lines).to.equal(1);
    peers[1]!.close();
    await waitFor(() => pool.waiting === 1, { what: 'the first loss' });
    expect(pool.lines).to.equal(1);
    peers[2]!.close();
    await waitFor(() => pool.waiting === 0, { what: 'the second loss' });
    expect(pool.lines).to.equal(0);
  });

  it('keep nothing of a connection for which there is no room', async () => {
    const pool = poolOf({ size: 1, most: 1 });
    await take(pool);
    await take(pool, target({ organizationId: 'other' }));
    expect(pool.waiting).to.equal(1);
    expect(pool.lines).to.equal(1);
  });

  it('keep nothing of a connection that cannot be dialled', () => {
    const pool = poolOf({ size: 1 });
    const nowhere = target({ endpoint: { url: 'nowhere', headers: {} } });
    expect(() => pool.dial(nowhere, refused)).to.throw(SyntaxError);
    expect(pool.lines).to.equal(0);
  });

  it('end with the pool', async () => {
    const pool = poolOf({ size: 2 });
    await take(pool);
    await dialled(3);
    pool.close();
    await waitFor(() => peers.slice(1).every(({ readyState }) => readyState === 3), {
      what: 'their sockets to close',
    });
    await take(pool);
    expect(peers).to.have.length(4);
    expect(pool.waiting).to.equal(0);
    expect(pool.lines).to.equal(0);
  });

  it('open sessions of a gateway, which end as usual', async () => {
    const stage = await Stage.open();
    const provider = await startRawProvider();
    stage.onClose(() => provider.close());
    const settings = { PROVIDER_WARM_SOCKETS: 1 };
    const { origin } = await stage.startGateway({ providerUrl: provider.url, settings });
    for (const said of ['first', 'second', 'third']) {
      const session = provider.nextSession();
      const client = await TestClient.ready(origin + (await stage.issue()).path);
      const { socket } = await session;
      socket.send(`{"type":"response.output_audio.delta","event_id":"${said}","delta":"AAAA"}`);
      expect(await client.event('response.output_audio.delta')).to.include({ event_id: said });
      await client.leave();
    }
    await stage.close();
  });
});
