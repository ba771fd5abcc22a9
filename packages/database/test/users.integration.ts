import { expect } from 'chai';
import pg from 'pg';
import { findPassword, obtainUser } from '#src/access/users.js';
import { connectDatabase, type Database } from '#src/postgres/database.js';
import { migrate } from '#src/postgres/migrate.js';
import { testDatabase, type TestDatabase } from '@parley/testkit';

/** The case of letters as Unicode has it, as in most deployments; or as it is, where it cannot be chosen. */
const locales = [`lc_ctype 'C.UTF-8'`, `lc_ctype 'en_US.UTF-8'`, ''];

describe('the account of an address', () => {
  let server: TestDatabase;
  let client: pg.Client;
  let name: string;
  let database: Database;
  before(async () => {
    server = await testDatabase();
    const url = new URL(server.url);
    name = `${url.pathname.slice(1)}_unicode`;
    url.pathname = `/${name}`;
    client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await create(locales);
    await migrate(url.href);
    database = connectDatabase({ url: url.href });
  });
  const create = async ([locale = '', ...others]: string[]): Promise<unknown> =>
    client.query(`create database ${name} template template0 ${locale}`).catch((error: unknown) => {
      if (others.length === 0) throw error;
      return create(others);
    });
  after(async () => {
    await database.close();
    await client.query(`drop database ${name} with (force)`);
    await client.end();
    await server.drop();
  });

  const obtain = (email: string) =>
    database.asSystem((system) => obtainUser(system, { email, name: '' }));
  const found = (email: string) => database.asSystem((system) => findPassword(system, email));

  it('is not that of an address that PostgreSQL takes for the same', async () => {
    const others = ['k\u0130m@example.com', '\u212Aim@example.com'];
    const ids = [];
    for (const email of [...others, 'kim@example.com']) ids.push(await obtain(email));
    expect(new Set(ids)).to.have.length(3);
    expect(await obtain('KIM@Example.com')).to.equal(ids[2]);
    expect(await found('kIm@example.COM')).to.deep.equal({ id: ids[2], passwordHash: null });
    for (const [index, email] of others.entries())
      expect(await found(email)).to.deep.equal({ id: ids[index], passwordHash: null });
  });
});
