import { expect } from 'chai';
import { sql } from 'kysely';
import {
  isDatabaseAway,
  isDatabaseUnavailable,
  violatedConstraint,
} from '#src/postgres/availability.js';
import { connectDatabase } from '#src/postgres/database.js';
import { migrate } from '#src/postgres/migrate.js';
import { insertOrganization } from '#src/organizations/organizations.js';
import {
  freePort,
  migratedDatabase,
  startPostgresServer,
  tcpProxy,
  testDatabase,
} from '@parley/testkit';

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('database availability', () => {
  it('tells an unreachable server', async () => {
    const database = connectDatabase({ url: `postgres://x@127.0.0.1:${await freePort()}/x` });
    const failure = await failureOf(database.ping());
    expect([isDatabaseUnavailable(failure), isDatabaseAway(failure)]).to.deep.equal([true, true]);
    await database.close();
  });

  for (const [what, change] of [
    ['that refuses the password', { username: 'stranger', password: 'wrong' }],
    ['without the database', { pathname: '/absent' }],
    ['without TLS', { search: '?sslmode=verify-full' }],
  ] as const)
    it(`tells a server ${what}, which waiting does not mend`, async () => {
      const target = await testDatabase();
      const { href: url } = Object.assign(new URL(target.url), change);
      const database = connectDatabase({ url });
      const failure = await failureOf(database.ping());
      expect([isDatabaseUnavailable(failure), isDatabaseAway(failure)]).to.deep.equal([
        true,
        false,
      ]);
      await database.close();
      await target.drop();
    });

  it('tells a PgBouncer that refuses our timeouts, which waiting does not mend', () => {
    const refusal = new Error('unsupported startup parameter: statement_timeout');
    const failure = Object.assign(refusal, { code: '08P01' });
    expect([isDatabaseUnavailable(failure), isDatabaseAway(failure)]).to.deep.equal([true, false]);
  });

  it('ends with the connections: work that fails in the middle is followed by work on new ones', async () => {
    const target = await migratedDatabase();
    const proxy = await tcpProxy({ target: target.url });
    const database = connectDatabase({ url: proxy.url, poolSize: 1 });
    for (const containing of ['set_config', 'pg_backend_pid', 'commit']) {
      await database.ping();
      const cut = proxy.cutNextReply(containing);
      const failure = await failureOf(
        database.asSystem(({ trx }) => sql`select pg_backend_pid()`.execute(trx)),
      );
      await cut;
      expect(isDatabaseUnavailable(failure), String(failure)).to.equal(true);
      expect(await failureOf(database.ping())).to.equal(undefined);
    }
    await database.close();
    await proxy.stop();
    await target.drop();
  });

  it('tells a bug in a query from it', async () => {
    const target = await migratedDatabase();
    const { database } = target;
    const id = '00000000-0000-4000-8000-000000000001';
    await database.asSystem((system) => insertOrganization(system, { id, name: 'A' }));
    const failure = await failureOf(
      database.asSystem((system) => insertOrganization(system, { id, name: 'B' })),
    );
    expect(isDatabaseUnavailable(failure)).to.equal(false);
    expect(violatedConstraint(failure)).to.equal('organizations_pkey');
    await target.drop();
  });

  it('tells a query that another transaction holds up for too long', async () => {
    const target = await migratedDatabase();
    const { database } = target;
    const { id } = await database.asSystem((system) => insertOrganization(system, { name: 'A' }));
    const lock = sql`select from organizations where id = ${id} for update`;
    const failure = await database.asSystem(async ({ trx }) => {
      await lock.execute(trx);
      const waiting = database.asSystem(async (other) => {
        await sql`set local statement_timeout = 50`.execute(other.trx);
        await lock.execute(other.trx);
      });
      return failureOf(waiting);
    });
    expect(failure).to.have.property('code', '57014');
    expect(isDatabaseUnavailable(failure)).to.equal(true);
    await target.drop();
  });

  it('tells a connection that breaks between two queries, and works on another', async () => {
    const target = await migratedDatabase();
    const { database } = target;
    const failure = await failureOf(
      database.asSystem(async ({ trx }) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
        const { pid } = rows[0]!;
        await database.asSystem(async (other) => {
          await sql`reset role`.execute(other.trx);
          await sql`select pg_terminate_backend(${pid}, 10000)`.execute(other.trx);
        });
        // The news of the end is read before the next query is sent.
        await new Promise(setImmediate);
        await sql`select 1`.execute(trx);
      }),
    );
    expect(isDatabaseUnavailable(failure), String(failure)).to.equal(true);
    await database.ping();
    await target.drop();
  });

  it('gives a frozen server up in time, and commits nothing of what it was asked', async () => {
    const server = await startPostgresServer();
    const database = connectDatabase({ url: server.url, poolSize: 1, queryTimeoutMs: 3000 });
    const run = (statement: string) =>
      database.asSystem(async ({ trx }) => {
        await sql`reset role`.execute(trx);
        await sql.raw(statement).execute(trx);
      });
    await migrate(server.url);
    await run('create table t (n int)');
    const failure = await failureOf(
      database.asSystem(async ({ trx }) => {
        await sql`reset role`.execute(trx);
        await sql`insert into t values (1)`.execute(trx);
        await server.kill('SIGSTOP');
        await sql`insert into t values (2)`.execute(trx);
      }),
    );
    expect(isDatabaseUnavailable(failure)).to.equal(true);
    await server.kill('SIGCONT');
    await run('insert into t values (3)');
    const { rows } = await database.asSystem(async ({ trx }) => {
      await sql`reset role`.execute(trx);
      return sql<{ n: number }>`select n from t`.execute(trx);
    });
    expect(rows).to.deep.equal([{ n: 3 }]);
    await database.close();
    await server.stop();
  });

  it('tells a server that goes away, and works again when it is back', async () => {
    const server = await startPostgresServer();
    const errors: Error[] = [];
    const database = connectDatabase({ url: server.url, onError: (error) => errors.push(error) });
    await database.ping();
    await server.kill('SIGKILL');
    expect(isDatabaseUnavailable(await failureOf(database.ping()))).to.equal(true);
    await server.restart();
    await database.ping();
    await database.close();
    await server.stop();
  });

  it('gives up on a connection attempt that hangs', async () => {
    const target = await migratedDatabase();
    const proxy = await tcpProxy({ target: target.url });
    const database = connectDatabase({ url: proxy.url });
    proxy.blackHole();
    expect(isDatabaseUnavailable(await failureOf(database.ping()))).to.equal(true);
    await database.close();
    await proxy.stop();
    await target.drop();
  });
});
