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

  type Flooded = readonly [lane: Database['background'], organizationId: string];

  /** Transactions that hold their connections until they are told to end; resolves once as many as can have begun. */
  const flood = async (flooded: readonly Flooded[], holding: number) => {
    let begun = 0;
    let [end, full]: (() => void)[] = [];
    const ending = new Promise<void>((resolve) => (end = resolve));
    const filled = new Promise<void>((resolve) => (full = resolve));
    const all = flooded.flatMap(([lane, organizationId]) =>
      Array.from({ length: 20 }, () =>
        lane.inOrganization(organizationId, async ({ trx }) => {
          await sql`select 1`.execute(trx);
          begun += 1;
          if (begun === holding) full?.();
          await ending;
        }),
      ),
    );
    await filled;
    return {
      begun: () => begun,
      async end() {
        end?.();
        await Promise.all(all);
      },
    };
  };
  const reads = (organizationId: string) =>
    database.inOrganization(organizationId, async ({ trx }) => {
      const { rows } = await sql<{ n: number }>`select 1 as n`.execute(trx);
      return rows[0]?.n;
    });

  it('are never all in the hands of work in the background', async () => {
    const { background } = database;
    const flooded = await flood(
      [
        [background, one],
        [background, other],
      ],
      2,
    );
    expect(await reads(one)).to.equal(1);
    expect(await reads(other)).to.equal(1);
    expect(await database.asSystem(() => Promise.resolve('found'))).to.equal('found');
    expect(flooded.begun()).to.equal(2);
    await flooded.end();
    expect(flooded.begun()).to.equal(40);
  });

  it('are never all in the hands of one organization', async () => {
    const flooded = await flood(
      [
        [database, one],
        [database.background, one],
      ],
      3,
    );
    expect(await reads(other)).to.equal(1);
    expect(await database.asSystem(() => Promise.resolve('found'))).to.equal('found');
    await database.ping();
    expect(flooded.begun()).to.equal(3);
    await flooded.end();
    expect(flooded.begun()).to.equal(40);
  });
});
