import { expect } from 'chai';
import { needs, startRedisCluster, waitFor, type RedisCluster } from '@parley/testkit';
import { tokenKeys } from '#src/keys.js';
import { connectRedis } from '#src/redis-client.js';
import { redisOptions } from '#src/redis-options.js';
import { createSessionTokens, hashSessionToken, type SessionTokens } from '#src/session-tokens.js';
import type { Redis } from '#src/topology.js';
import { ticket } from './support/ticket.js';

const redeemed = { outcome: 'redeemed', ticket } as const;
const consumed = { outcome: 'consumed' } as const;

describe('a token whose slot moves to another node', () => {
  needs('redis-server');
  let cluster: RedisCluster;
  let redis: Redis;
  let tokens: SessionTokens;

  before(async () => {
    cluster = await startRedisCluster();
    redis = await connectRedis(redisOptions(cluster.settings));
    tokens = createSessionTokens(redis);
  });
  after(async () => {
    redis.disconnect();
    await cluster.stop();
  });

  const issue = async () => hashSessionToken((await tokens.issue(ticket, 60)).token);
  /** While a move takes longer than a request waits, the answer is to come again. */
  const consume = (hash: Buffer, attempt: string) =>
    waitFor(() => tokens.consume(hash, attempt).catch(() => undefined), { what: 'an answer' });
  const slotKey = (hash: Buffer) => tokenKeys(hash.toString('hex')).ticket;

  it('is redeemed once, before its key has moved', async () => {
    const hash = await issue();
    const migration = await cluster.migrateSlot(slotKey(hash));
    const outcome = consume(hash, 'a');
    await migration.finish();
    expect(await outcome).to.deep.equal(redeemed);
    expect(await consume(hash, 'b')).to.deep.equal(consumed);
  });

  it('is redeemed once, after its key has moved', async () => {
    const hash = await issue();
    const migration = await cluster.migrateSlot(slotKey(hash));
    await migration.moveKeys();
    const outcome = consume(hash, 'a');
    await migration.finish();
    expect(await outcome).to.deep.equal(redeemed);
    expect(await consume(hash, 'b')).to.deep.equal(consumed);
  });

  it('is redeemed once, when nobody was told of the move', async () => {
    const hash = await issue();
    await (await cluster.migrateSlot(slotKey(hash))).finish();
    expect(await consume(hash, 'a')).to.deep.equal(redeemed);
    expect(await consume(hash, 'b')).to.deep.equal(consumed);
  });

  it('stays redeemed', async () => {
    const hash = await issue();
    await consume(hash, 'a');
    const migration = await cluster.migrateSlot(slotKey(hash));
    await migration.moveKeys();
    const outcome = consume(hash, 'b');
    await migration.finish();
    expect(await outcome).to.deep.equal(consumed);
  });

  it('can be issued in the middle of the move', async () => {
    // Only a token of its own choice can be sure to fall into the slot, so the ticket is written as issue() writes it.
    const hash = hashSessionToken('chosen');
    const key = slotKey(hash);
    const migration = await cluster.migrateSlot(key);
    await redis.set(key, `${Date.now() + 60_000}:${JSON.stringify(ticket)}`, 'PX', 60_000);
    await migration.finish();
    expect(await consume(hash, 'a')).to.deep.equal(redeemed);
  });

  it('is one of many that come and go meanwhile, none of which is lost', async () => {
    const others = Promise.all(
      Array.from({ length: 200 }, async (_, n) => consume(await issue(), `other ${n}`)),
    );
    for (let n = 0; n < 10; n += 1) {
      const hash = await issue();
      const migration = await cluster.migrateSlot(slotKey(hash));
      const outcome = consume(hash, 'a');
      await migration.finish();
      expect(await outcome).to.deep.equal(redeemed);
    }
    expect(new Set((await others).map(({ outcome }) => outcome))).to.deep.equal(
      new Set(['redeemed']),
    );
  });
});
