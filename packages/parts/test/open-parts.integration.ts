import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { expect } from 'chai';
import { requireConfig } from '@parley/service-kit';
import { freePort, testDatabase, testHost, testRedis } from '@parley/testkit';
import { openParts } from '#src/open-parts.js';

describe('the parts of an app', () => {
  const hostWith = async (changes: Record<string, string>) => {
    const [{ url: DATABASE_URL }, { url: REDIS_URL }] = [await testDatabase(), await testRedis()];
    const SECRETS_KEY = randomBytes(32).toString('base64');
    const env = { DATABASE_URL, REDIS_URL, SECRETS_KEY, ...changes };
    return testHost('worker', requireConfig('worker', env).config);
  };

  it('are open together, migrated if asked to, and close together', async () => {
    const host = await hostWith({});
    const applied: string[] = [];
    const { database, redis } = await openParts(host, {
      onMigrated: (names) => applied.push(...names),
    });
    expect(applied).not.to.be.empty;
    expect(await redis.ping()).to.equal('PONG');
    await database.ping();
    expect(await host.registry.metrics()).to.match(/^parley_store_up\{store="redis".*\} 1$/m);
    const hungUp = once(redis, 'end');
    await host.stop();
    await hungUp;
    expect(await database.ping().catch(() => 'closed')).to.equal('closed');
  });

  for (const [setting, scheme] of [
    ['DATABASE_URL', 'postgres'],
    ['REDIS_URL', 'redis'],
  ] as const)
    it(`name ${setting} when nobody answers there, and leave nothing open`, async () => {
      const host = await hostWith({
        [setting]: `${scheme}://127.0.0.1:${await freePort()}`,
        STORE_WAIT_SECONDS: '0',
      });
      const failure: unknown = await openParts(host).catch((error: unknown) => error);
      await host.stop();
      expect((failure as Error).message).to.match(
        new RegExp(`^${setting} cannot be used: connect ECONNREFUSED`),
      );
    });
});
