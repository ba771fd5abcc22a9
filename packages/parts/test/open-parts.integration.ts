import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { migrate } from '@parley/database';
import { expect } from 'chai';
import { Client } from 'pg';
import { requireConfig } from '@parley/service-kit';
import { freePort, testDatabase, testHost, testRedis } from '@parley/testkit';
import { openParts } from '#src/open-parts.js';

describe('the parts of an app', () => {
  const hostWith = async (changes: Record<string, string>, { migrated = true } = {}) => {
    const [{ url: DATABASE_URL }, { url: REDIS_URL }] = [await testDatabase(), await testRedis()];
    if (migrated) await migrate(DATABASE_URL);
    const SECRETS_KEY = randomBytes(32).toString('base64');
    const env = { DATABASE_URL, REDIS_URL, SECRETS_KEY, ...changes };
    return testHost('worker', requireConfig('worker', env).config);
  };

  it('are open together, migrated if asked to, and close together', async () => {
    const host = await hostWith({}, { migrated: false });
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

  it('are not open without the last migration of this version, but with those of a later one', async () => {
    const host = await hostWith({ STORE_WAIT_SECONDS: '0' }, { migrated: false });
    const { DATABASE_URL: url } = host.config;
    const last = (await migrate(url)).applied.at(-1)!;
    const client = new Client({ connectionString: url });
    await client.connect();
    const rename = (from: string, to: string) =>
      client.query('update kysely_migration set name = $2 where name = $1', [from, to]);
    await rename(last, '9999-later');
    const failure: unknown = await openParts(host).catch((error: unknown) => error);
    expect((failure as Error).message).to.equal(
      `DATABASE_URL cannot be used: its schema lacks ${last}: ` +
        'run admin migrate, or start an api of this version with MIGRATE_ON_START',
    );
    await client.query('insert into kysely_migration values ($1, $2)', [last, '']);
    await openParts(host);
    await client.end();
    await host.stop();
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
