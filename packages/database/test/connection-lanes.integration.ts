import { expect } from 'chai';
import { sql } from 'kysely';
import { connectDatabase, type Database } from '#src/postgres/database.js';
import { insertOrganization } from '#src/organizations/organizations.js';
import { migratedDatabase, type MigratedDatabase } from '@parley/testkit';

describe('the connections of a pool', () => {
  let target: MigratedDatabase;
  let database: Database;
  let [one, other] = ['', ''];
  before(async () => {
    target = await migratedDatabase();
    database = connectDatabase({ url: target.url, poolSize: 4 });
    [one = '', other = ''] = await database.asSystem(async (system) => [
      (await insertOrganization(system, { name: 'One' })).id,
      (await insertOrganization(system, { name: 'Other' })).id,
    ]);
  });
  after(async () => {
    await database.close();
    await target.drop();
  });

  /** Transactions that hold their connections until they are told to end; resolves once as many as can have begun. */
  const flood = async (lane: Database['background'], count: number, holding: number) => {
    let begun = 0;
    let [end, full]: (() => void)[] = [];
    const ending = new Promise<void>((resolve) => (end = resolve));
    const filled = new Promise<void>((resolve) => (full = resolve));
    const all = Array.from({ length: count }, () =>
      lane.inOrganization(one, async ({ trx }) => {
        await sql`select 1`.execute(trx);
        begun += 1;
        if (begun === holding) full?.();
        await ending;
      }),
    );
    await filled;
    return async () => {
      end?.();
      await Promise.all(all);
      return begun;
    };
  };
  const reads = (organizationId: string) =>
    database.inOrganization(organizationId, async ({ trx }) => {
      const { rows } = await sql<{ n: number }>`select 1 as n`.execute(trx);
      return rows[0]?.n;
    });

  it('are never all in the hands of work in the background', async () => {
    const end = await flood(database.background, 40, 1);
    expect(await reads(one)).to.equal(1);
    expect(await reads(other)).to.equal(1);
    expect(await database.asSystem(() => Promise.resolve('found'))).to.equal('found');
    expect(await end()).to.equal(40);
  });

  it('are never all in the hands of one organization', async () => {
    const end = await flood(database, 40, 3);
    expect(await reads(other)).to.equal(1);
    expect(await database.asSystem(() => Promise.resolve('found'))).to.equal('found');
    await database.ping();
    expect(await end()).to.equal(40);
  });
});
