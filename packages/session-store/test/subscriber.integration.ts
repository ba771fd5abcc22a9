import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { freePort, tcpProxy, testRedis, waitFor, type TcpProxy } from '@parley/testkit';
import { connectRedis } from '#src/redis-client.js';
import { subscribe, type Subscriber } from '#src/subscriber.js';
import type { Redis } from '#src/topology.js';

describe('a subscriber', () => {
  let proxy: TcpProxy;
  let redis: Redis;
  let subscriber: Subscriber | undefined;
  let messages: string[];
  let errors: string[];
  let gaps: number;
  const channel = randomUUID();

  before(async () => {
    const { url } = await testRedis();
    proxy = await tcpProxy({ target: url });
    redis = await connectRedis({ url });
  });
  beforeEach(async () => {
    [messages, errors, gaps] = [[], [], 0];
    subscriber = await subscribe({
      url: proxy.url,
      channel,
      onMessage: (message) => messages.push(message),
      onGap: () => (gaps += 1),
      onError: ({ message }) => errors.push(message),
    });
  });
  afterEach(() => {
    proxy.heal();
    subscriber?.close();
  });
  after(async () => {
    redis.disconnect();
    await proxy.stop();
  });

  /** What is published in a gap is lost, and a machine that stands still makes gaps: it is said until it is heard. */
  const heard = (message: string) =>
    waitFor(
      async () => {
        if (!messages.includes(message)) await redis.publish(channel, message);
        return messages.includes(message);
      },
      { what: message },
    );
  const heardInAll = () => [...new Set(messages)];

  it('hears what is published on its channel, and no gap', async () => {
    await redis.publish(randomUUID(), 'elsewhere');
    await heard('one');
    await heard('two');
    expect(heardInAll()).to.deep.equal(['one', 'two']);
    expect(gaps).to.be.at.most(errors.length);
  });

  it('tells of a gap once it listens again, each time', async () => {
    for (const round of [1, 2, 3]) {
      const before = gaps;
      proxy.cut();
      await waitFor(() => gaps > before, { what: `gap ${round}` });
      await heard(`round ${round}`);
    }
    expect(heardInAll()).to.deep.equal(['round 1', 'round 2', 'round 3']);
  });

  it('notices that its connection has died although nothing says so', async () => {
    proxy.blackHole();
    await waitFor(() => errors.some((error) => error.startsWith('Socket timeout')), {
      what: 'the silence to be noticed',
    });
    const before = gaps;
    proxy.heal();
    await waitFor(() => gaps > before, { what: 'the gap' });
    await heard('after the silence');
    expect(heardInAll()).to.deep.equal(['after the silence']);
  });

  it('goes on after Redis was away for some attempts', async () => {
    proxy.refuse();
    proxy.cut();
    await waitFor(() => errors.length >= 3, { what: 'three failures' });
    proxy.heal();
    await waitFor(() => gaps > 0, { what: 'the gap' });
    await heard('again');
    expect(heardInAll()).to.deep.equal(['again']);
  });

  it('is gone once it is closed, also between two attempts', async () => {
    proxy.refuse();
    proxy.cut();
    const before = gaps;
    await waitFor(() => errors.length >= 1, { what: 'a failure' });
    subscriber?.close();
    proxy.heal();
    await waitFor(async () => (await redis.publish(channel, 'anyone?')) === 0, { what: 'silence' });
    expect(gaps).to.equal(before);
  });

  it('does not start without Redis', async () => {
    const url = `redis://127.0.0.1:${await freePort()}`;
    const failure: unknown = await subscribe({
      url,
      channel,
      onMessage: () => undefined,
      onGap: () => undefined,
    }).catch((error: unknown) => error);
    expect((failure as Error).message).to.match(/ECONNREFUSED/);
  });
});
