import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { testDatabase, testRedis } from '@parley/testkit';
import { Client } from 'pg';
import { AppProcess } from './support/app-process.js';

const migrations = join(import.meta.dirname, '../../packages/database/src/postgres/migrations');

describe('six api that start at the same moment on an empty database', () => {
  it('apply each migration once, create one organization, and are all ready', async () => {
    const [database, redis] = [await testDatabase(), await testRedis()];
    const env = {
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      SECRETS_KEY: randomBytes(32).toString('base64'),
      BOOTSTRAP_ORG_ID: randomUUID(),
      BOOTSTRAP_API_KEY: randomBytes(24).toString('hex'),
      LOG_LEVEL: 'info',
    };
    const apis = await Promise.all([1, 2, 3, 4, 5, 6].map(() => AppProcess.start('api', env)));
    await Promise.all(apis.map((api) => api.ready()));
    const migrated = apis.filter(({ output }) => output.includes('"msg":"migrated"'));
    expect(migrated).to.have.length(1);
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query<{ name: string }>('select name from kysely_migration');
    const organizations = await client.query('select from organizations');
    await client.end();
    expect(rows.map(({ name }) => name).sort()).to.deep.equal(
      readdirSync(migrations)
        .filter((file) => /^\d{4}-/.test(file))
        .map((file) => file.replace('.ts', '')),
    );
    expect(organizations.rowCount).to.equal(1);
    await Promise.all(apis.map((api) => api.kill()));
    await database.drop();
  });
});
