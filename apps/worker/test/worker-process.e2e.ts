import { randomBytes } from 'node:crypto';
import { migrate } from '@parley/database';
import { expect } from 'chai';
import {
  appProgram,
  freePort,
  migratedDatabase,
  runNode,
  tcpProxy,
  testDatabase,
  testRedis,
  type MigratedDatabase,
  type RunningProgram,
} from '@parley/testkit';

const main = appProgram('worker');

describe('a worker process', () => {
  let db: MigratedDatabase;
  let stores: Record<string, string>;

  before(async () => {
    db = await migratedDatabase();
    stores = {
      DATABASE_URL: db.url,
      REDIS_URL: (await testRedis()).url,
      SECRETS_KEY: randomBytes(32).toString('base64'),
    };
  });
  after(() => db.drop());

  const start = (env: Record<string, string>): RunningProgram =>
    runNode([main], { env: { HOST: '127.0.0.1', INTERNAL_PORT: '0', LOG_LEVEL: 'debug', ...env } });

  it('runs the jobs, tells that it is ready, and ends with 0 on SIGTERM', async () => {
    const program = start(stores);
    const { internalPort } = JSON.parse(await program.line(/"msg":"ready"/)) as {
      internalPort: number;
    };
    const url = `http://127.0.0.1:${internalPort}`;
    expect((await fetch(`${url}/readyz`)).status).to.equal(200);
    await program.line(/"job":"purge-files".*"msg":"job done"/);
    expect(await (await fetch(`${url}/metrics`)).text()).to.match(
      /^parley_job_runs_total\{job="purge-files",outcome="done",app="worker"\} 1$/m,
    );
    program.child.kill('SIGTERM');
    expect(await program.ended).to.equal(0);
    expect(program.output).to.match(/"clean":true,"msg":"stopped"/);
    expect(program.output).not.to.match(/"level":"(error|fatal)"/);
  });

  it('reports every missing setting together and ends with 1', async () => {
    const program = start({ CONVERSATION_RETENTION_DAYS: '-1' });
    expect(await program.ended).to.equal(1);
    for (const name of ['REDIS_URL', 'DATABASE_URL', 'CONVERSATION_RETENTION_DAYS'])
      expect(program.output).to.match(new RegExp(`^${name}`, 'm'));
  });

  for (const entry of ['999.1.1.1', '10.0.0.0/99'])
    it(`ends with one line when TOOL_EGRESS_ALLOW has ${entry}`, async () => {
      const program = start({ ...stores, TOOL_EGRESS_ALLOW: entry });
      expect(await program.ended).to.equal(1);
      const complaint = program.output.split('\n').filter((line) => !line.startsWith('{'));
      expect(complaint).to.deep.equal([
        `TOOL_EGRESS_ALLOW cannot be used: "${entry}" is not a host, a range or host:port.`,
      ]);
    });

  for (const setting of ['REDIS_URL', 'DATABASE_URL'])
    it(`ends with one line when ${setting} cannot be reached in time`, async () => {
      const scheme = setting === 'REDIS_URL' ? 'redis' : 'postgres';
      const unreachable = `${scheme}://127.0.0.1:${await freePort()}`;
      const program = start({ ...stores, [setting]: unreachable, STORE_WAIT_SECONDS: '2' });
      expect(await program.ended).to.equal(1);
      const complaint = program.output.split('\n').filter((line) => !line.startsWith('{'));
      expect(complaint).to.have.length(1);
      expect(complaint[0]).to.match(new RegExp(`^${setting} cannot be used: connect ECONNREFUSED`));
    });

  it('starts before its stores do: it is alive, not ready, and logs once what it waits for', async () => {
    const [redis, postgres] = await Promise.all([
      tcpProxy({ target: stores['REDIS_URL']! }),
      tcpProxy({ target: stores['DATABASE_URL']! }),
    ]);
    redis.refuse();
    postgres.refuse();
    const internalPort = await freePort();
    const statusOf = async (path: string) =>
      (await fetch(`http://127.0.0.1:${internalPort}${path}`)).status;
    const program = start({
      ...stores,
      ...{ REDIS_URL: redis.url, DATABASE_URL: postgres.url },
      INTERNAL_PORT: String(internalPort),
    });
    await program.line(/"reason":"DATABASE_URL .*"msg":"waiting for a store"/);
    expect([await statusOf('/livez'), await statusOf('/readyz')]).to.deep.equal([200, 503]);
    postgres.heal();
    await program.line(/"reason":"REDIS_URL .*"msg":"waiting for a store"/);
    expect(await statusOf('/readyz')).to.equal(503);
    redis.heal();
    await program.line(/"msg":"ready"/);
    expect(await statusOf('/readyz')).to.equal(200);
    expect(program.output.match(/waiting for a store/g)).to.have.length(2);
    expect(program.output).not.to.match(/connection lost/);
    program.child.kill('SIGTERM');
    expect(await program.ended).to.equal(0);
    await Promise.all([redis.stop(), postgres.stop()]);
  });

  it('is not ready before the database is migrated, and says what to do', async () => {
    const empty = await testDatabase();
    const internalPort = await freePort();
    const readiness = async () => (await fetch(`http://127.0.0.1:${internalPort}/readyz`)).status;
    const program = start({
      ...stores,
      ...{ DATABASE_URL: empty.url, INTERNAL_PORT: String(internalPort) },
    });
    await program.line(
      /"reason":"DATABASE_URL .* run admin migrate, .*"msg":"waiting for a store"/,
    );
    expect(await readiness()).to.equal(503);
    await migrate(empty.url);
    await program.line(/"msg":"ready"/);
    expect(await readiness()).to.equal(200);
    program.child.kill('SIGTERM');
    expect(await program.ended).to.equal(0);
    await empty.drop();
  });

  it('can be stopped while it waits', async () => {
    const unreachable = `redis://127.0.0.1:${await freePort()}`;
    const program = start({ ...stores, REDIS_URL: unreachable });
    await program.line(/"msg":"waiting for a store"/);
    program.child.kill('SIGTERM');
    expect(await program.ended).to.equal(0);
  });
});
