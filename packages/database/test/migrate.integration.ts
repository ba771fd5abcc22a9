import { expect } from 'chai';
import pg from 'pg';
import { isDatabaseAway } from '#src/postgres/availability.js';
import { migrate } from '#src/postgres/migrate.js';
import { testDatabase, type TestDatabase } from '@parley/testkit';

const required = [
  'organizations',
  'users',
  'api_keys',
  'connections',
  'agents',
  'conversations',
  'messages',
  'tool_calls',
  'realtime_sessions',
  'tasks',
  'temporary_files',
  'temporary_file_chunks',
  'audit_log',
];

describe('migrate', () => {
  let empty: TestDatabase;
  let client: pg.Client;

  beforeEach(async () => {
    empty = await testDatabase();
    client = new pg.Client({ connectionString: empty.url });
    await client.connect();
  });

  afterEach(async () => {
    await client.end();
    await empty.drop();
  });

  it('applies each migration exactly once when ten processes start together', async () => {
    const results = await Promise.all(Array.from({ length: 10 }, () => migrate(empty.url)));
    const applied = results.flatMap((result) => result.applied);
    expect(applied[0]).to.equal('0001-foundation');
    expect(applied).to.deep.equal([...new Set(applied)].sort());
  });

  it('creates the tables of the record, each with row-level security', async () => {
    await migrate(empty.url);
    const { rows } = await client.query<{ relname: string }>(
      `select relname from pg_class where relkind = 'r' and relrowsecurity and relnamespace = 'public'::regnamespace`,
    );
    expect(rows.map(({ relname }) => relname)).to.include.members(required);
  });

  it('leaves no table with an organization without a policy', async () => {
    await migrate(empty.url);
    const { rows } = await client.query(
      `select table_name from information_schema.columns c
       where column_name = 'organization_id' and table_schema = 'public'
         and not exists (select from pg_policies p where p.tablename = c.table_name)`,
    );
    expect(rows).to.deep.equal([]);
  });

  it('leaves a schema alone that a later version has migrated further', async () => {
    await migrate(empty.url);
    await client.query(`insert into kysely_migration values ('9999-later', '')`);
    expect(await migrate(empty.url)).to.deep.equal({ applied: [] });
  });

  it('refuses a schema with a migration that it does not know in place of its own', async () => {
    await migrate(empty.url);
    await client.query(
      `update kysely_migration set name = '0002-other' where name = '0002-tool-calls'`,
    );
    const failure: unknown = await migrate(empty.url).catch((error: unknown) => error);
    expect((failure as Error).message).to.match(/^Migration failed: .*0002-other/);
  });

  it('keeps what was applied before a migration that fails', async () => {
    await client.query('create table tool_calls_of_session ()');
    const failure: unknown = await migrate(empty.url).catch((error: unknown) => error);
    expect((failure as Error).message).to.match(/^Migration 0023-calls-of-sessions failed: /);
    await client.query('drop table tool_calls_of_session');
    expect((await migrate(empty.url)).applied[0]).to.equal('0023-calls-of-sessions');
  });

  describe('while somebody uses a table', () => {
    beforeEach(async () => {
      await client.query(`create table kysely_migration
        (name varchar(255) primary key, timestamp varchar(255) not null)`);
      await client.query('begin; lock table kysely_migration in share mode');
    });

    it('stands back, and tries again until the table is free', async () => {
      let pauses = 0;
      const pause = async () => {
        const waiting = `select from pg_locks where relation = 'kysely_migration'::regclass and not granted`;
        expect((await client.query(waiting)).rowCount).to.equal(0);
        if (++pauses === 2) await client.query('commit');
      };
      const blocked: string[] = [];
      const { applied } = await migrate(empty.url, {
        lockMs: 100,
        retryMs: 60_000,
        pause,
        onBlocked: (name) => blocked.push(name),
      });
      expect(applied[0]).to.equal('0001-foundation');
      expect(pauses).to.be.at.least(2);
      expect(blocked).to.deep.equal(Array<string>(pauses).fill('0001-foundation'));
    });

    it('gives up in the end, and says which migration it was', async () => {
      const failure: unknown = await migrate(empty.url, {
        ...{ lockMs: 100, retryMs: 0 },
        pause: () => Promise.reject(new Error('no time is left')),
      }).catch((error: unknown) => error);
      expect((failure as Error).message).to.equal(
        'Migration 0001-foundation failed: canceling statement due to lock timeout',
      );
      expect(isDatabaseAway(failure)).to.equal(true);
    });
  });

  it('waits for another that migrates, even if nobody else may wait for a lock', async () => {
    const name = new URL(empty.url).pathname.slice(1);
    await client.query(`alter database ${name} set lock_timeout = 1`);
    const both = await Promise.all([migrate(empty.url), migrate(empty.url)]);
    expect(both.filter(({ applied }) => applied.length > 0)).to.have.length(1);
  });

  it('says that the server cannot be reached', async () => {
    const gone = new URL(empty.url);
    gone.port = '1';
    const failure: unknown = await migrate(gone.href).catch((error: unknown) => error);
    expect((failure as { code: string }).code).to.equal('ECONNREFUSED');
  });
});
