import { bundledBinaries, isRunning, unprivilegedUser } from '@parley/embedded';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import {
  needs,
  startPostgresServer,
  temporaryFolder,
  testDatabase,
  testRedis,
  waitFor,
} from '#src/index.js';
import { runChildMocha } from './child-mocha.js';

const query = async (url: string, sql: string): Promise<unknown[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
};

describe('the servers of a run', () => {
  it('are an empty database for each call', async () => {
    const [one, two] = await Promise.all([testDatabase(), testDatabase()]);
    await query(one.url, 'CREATE TABLE mine AS SELECT 1 AS n');
    expect(await query(two.url, `SELECT to_regclass('mine') AS mine`)).to.deep.equal([
      { mine: null },
    ]);
    await one.drop();
    const gone = await query(one.url, 'SELECT 1').catch((error: unknown) => error);
    expect((gone as Error).message).to.match(/does not exist/);
    await one.drop();
    await two.drop();
  });

  it('are an empty logical database of Redis for each call', async () => {
    const [one, two] = [await testRedis(), await testRedis()];
    const [first, second] = [new Redis(one.url), new Redis(two.url)];
    await first.set('key', 'value');
    expect(await second.get('key')).to.equal(null);
    await two.flush();
    expect(await first.get('key')).to.equal('value');
    await one.flush();
    expect(await first.get('key')).to.equal(null);
    first.disconnect();
    second.disconnect();
  });

  it('come from the servers named in the environment, which stay', async () => {
    const server = await startPostgresServer(
      await bundledBinaries({ base: await temporaryFolder(), runAs: await unprivilegedUser() }),
    );
    const redis = await testRedis();
    const run = runChildMocha('uses-engines', {
      TEST_DATABASE_URL: server.url,
      TEST_REDIS_URL: redis.url,
    });
    const { code, output } = await run.ended;
    expect(code, output).to.equal(0);
    expect(output).to.contain('testkit: PostgreSQL from TEST_DATABASE_URL');
    expect(output).to.contain('testkit: Redis from TEST_REDIS_URL');
    const left = `SELECT datname FROM pg_database WHERE datname LIKE 'parley_test_%'`;
    expect(await query(server.url, left)).to.deep.equal([]);
    await server.stop();
  });

  it('refuse an unknown kind', async () => {
    const { code, output } = await runChildMocha('uses-engines', { TESTKIT_ENGINES: 'cloud' })
      .ended;
    expect(code, output).to.equal(1);
    expect(output).to.contain('TESTKIT_ENGINES is one of docker, local, embedded, not "cloud"');
  });

  describe('that are installed', () => {
    needs('redis-server', 'postgres');
    for (const [ending, then, expected] of [
      ['passes', 'pass', 0],
      ['fails', 'fail', 1],
    ] as const)
      it(`are gone after a run that ${ending}`, async () => {
        const run = runChildMocha('uses-engines', { TESTKIT_ENGINES: 'local', THEN: then });
        const pids = await pidsOf(run);
        const { code, output } = await run.ended;
        expect(code, output).to.equal(expected);
        expect(output).to.match(/testkit: PostgreSQL from local postgres \d+/);
        expect(output).to.match(/testkit: Redis from local redis-server \d+/);
        expect(await Promise.all(pids.map(isRunning))).to.deep.equal([false, false]);
      });

    for (const [signal, expected] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const)
      it(`are gone after ${signal}`, async () => {
        const run = runChildMocha('uses-engines', { TESTKIT_ENGINES: 'local', THEN: 'hang' });
        const pids = await pidsOf(run);
        await run.line('✔ takes servers');
        run.kill(signal);
        const { code, output } = await run.ended;
        expect(code, output).to.equal(expected);
        expect(await Promise.all(pids.map(isRunning))).to.deep.equal([false, false]);
      });
  });

  it('are gone soon after a run that is killed', async () => {
    const run = runChildMocha('uses-engines', { THEN: 'hang' });
    const [postgres] = await pidsOf(run);
    run.kill('SIGKILL');
    expect((await run.ended).code).to.equal(null);
    await waitFor(async () => !(await isRunning(postgres!)), { what: 'PostgreSQL to be gone' });
  });

  it('are the embedded ones where nothing is installed, and are gone afterwards', async () => {
    const run = runChildMocha('uses-engines', { TESTKIT_ENGINES: 'embedded' });
    const [postgres] = await pidsOf(run);
    const { code, output } = await run.ended;
    expect(code, output).to.equal(0);
    expect(output).to.contain('testkit: PostgreSQL from the embedded PostgreSQL 18');
    expect(output).to.contain('testkit: Redis from the embedded Valkey');
    expect(await isRunning(postgres!)).to.equal(false);
  });
});

async function pidsOf(run: ReturnType<typeof runChildMocha>): Promise<number[]> {
  const line = await run.line('PIDS ');
  const pids = JSON.parse(line.slice('PIDS '.length)) as { postgres: string; redis: string };
  return [Number(pids.postgres), Number(pids.redis)];
}
