import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Redis } from '#src/topology.js';
import { tcpProxy, testRedis } from '@parley/testkit';
import { tokenKeys } from '#src/keys.js';
import { connectRedis } from '#src/redis-client.js';
import {
  createSessionTokens,
  hashSessionToken,
  isSessionToken,
  type SessionTicket,
  type SessionTokens,
} from '#src/session-tokens.js';

const ticket: SessionTicket = {
  organizationId: randomUUID(),
  agentId: randomUUID(),
  conversationId: randomUUID(),
  keyId: randomUUID(),
  voice: 'alloy',
  inputAudioFormat: 'pcm16',
  outputAudioFormat: 'pcm16',
  additionalInstructions: 'Sprich: „deutsch“',
  clientTools: [{ name: 'show_map', description: 'Shows a map.' }],
};
const day = 24 * 60 * 60 * 1000;

describe('session tokens', () => {
  let url: string;
  let redis: Redis;
  let tokens: SessionTokens;
  const clients: Redis[] = [];
  const connect = async (to: string) => {
    const client = await connectRedis({ url: to, name: 'test' });
    clients.push(client);
    return client;
  };

  before(async () => {
    ({ url } = await testRedis());
    redis = await connect(url);
    tokens = createSessionTokens(redis);
  });
  after(() => {
    for (const client of clients) client.disconnect();
  });

  const issue = async (ttlSeconds = 60) => {
    const { token } = await tokens.issue(ticket, ttlSeconds);
    return hashSessionToken(token);
  };

  it('give their ticket once', async () => {
    const hash = await issue();
    expect(await tokens.consume(hash, 'a')).to.deep.equal({ outcome: 'redeemed', ticket });
    expect(await tokens.consume(hash, 'b')).to.deep.equal({ outcome: 'consumed' });
  });

  it('give it again to the attempt that won, and only to that', async () => {
    const hash = await issue();
    await tokens.consume(hash, 'a');
    expect(await tokens.consume(hash, 'a')).to.deep.equal({ outcome: 'redeemed', ticket });
    expect(await tokens.consume(hash, 'b')).to.deep.equal({ outcome: 'consumed' });
  });

  it('have one winner among 600 attempts over three connections', async () => {
    const hash = await issue();
    const rivals = (await Promise.all([url, url, url].map(connect))).map(createSessionTokens);
    const outcomes = await Promise.all(
      Array.from({ length: 600 }, (_, n) => rivals[n % 3]!.consume(hash, `attempt ${n}`)),
    );
    expect(outcomes.filter(({ outcome }) => outcome === 'redeemed')).to.have.length(1);
    expect(outcomes.filter(({ outcome }) => outcome === 'consumed')).to.have.length(599);
  });

  it('expire on Redis’ clock, and stay expired', async () => {
    const hash = await issue(0);
    expect(await tokens.consume(hash, 'a')).to.deep.equal({ outcome: 'expired' });
    expect(await tokens.consume(hash, 'a')).to.deep.equal({ outcome: 'expired' });
    expect(await tokens.consume(hash, 'b')).to.deep.equal({ outcome: 'expired' });
  });

  it('are unknown unless they were issued', async () => {
    expect(await tokens.consume(hashSessionToken('x'), 'a')).to.deep.equal({ outcome: 'unknown' });
  });

  it('tell their deadline on Redis’ clock', async () => {
    const before = await redisNow();
    const { expiresAt } = await tokens.issue(ticket, 60);
    const after = await redisNow();
    expect(expiresAt.getTime()).to.be.within(before + 60_000, after + 60_000);
  });

  it('are remembered: expired ones for an hour, used ones for a day', async () => {
    const hash = await issue();
    const keys = tokenKeys(hash.toString('hex'));
    expect(await redis.pttl(keys.ticket)).to.be.within(3_600_000, 3_660_000);
    await tokens.consume(hash, 'a');
    expect(await redis.exists(keys.ticket)).to.equal(0);
    expect(await redis.pttl(keys.tombstone)).to.be.within(day - 60_000, day);
    expect(await redis.pttl(keys.receipt)).to.be.within(1, 60_000);
  });

  it('are 256 random bits of which Redis holds only the hash', async () => {
    const { token } = await tokens.issue(ticket, 60);
    expect(isSessionToken(token)).to.be.true;
    expect(Buffer.from(token, 'base64url')).to.have.length(32);
    await tokens.consume(hashSessionToken(token), 'a');
    const keys = await redis.keys('*');
    const values = await Promise.all(keys.map((key) => redis.get(key)));
    expect(keys).to.not.be.empty;
    expect([...keys, ...values].join()).to.not.include(token);
  });

  it('survive a server that forgot the scripts', async () => {
    const hash = await issue();
    await redis.script('FLUSH');
    expect(await tokens.consume(hash, 'a')).to.have.property('outcome', 'redeemed');
  });

  it('keep what one script touches on one node of a cluster', () => {
    const tags = Object.values(tokenKeys('abc')).map((key) => /\{(.*)\}/.exec(key)?.[1]);
    expect(new Set(tags)).to.deep.equal(new Set(['abc']));
  });

  it('are not lost with the reply that was lost', async () => {
    const proxy = await tcpProxy({ target: url });
    const shaky = createSessionTokens(await connect(proxy.url));
    for (let round = 0; round < 10; round += 1) {
      const hash = await issue();
      const cut = proxy.cutNextReply(hash.toString('hex'));
      const [outcome] = await Promise.all([shaky.consume(hash, `round ${round}`), cut]);
      expect(outcome).to.deep.equal({ outcome: 'redeemed', ticket });
      expect(await tokens.consume(hash, 'thief')).to.deep.equal({ outcome: 'consumed' });
    }
  });

  async function redisNow(): Promise<number> {
    const [seconds, micros] = await redis.time();
    return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
  }
});
