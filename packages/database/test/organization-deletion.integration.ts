import { expect } from 'chai';
import { sql, type RawBuilder } from 'kysely';
import {
  batchToDelete,
  deletedTables,
  exportOrganization,
  keptTables,
  selectExported,
} from '#src/organizations/organization-deletion.js';
import { insertOrganization } from '#src/organizations/organizations.js';
import type { SystemScope } from '#src/postgres/database.js';
import { migratedDatabase, type MigratedDatabase } from '@parley/testkit';

describe('the rows of an organization that is deleted', () => {
  let db: MigratedDatabase;
  let id: string;
  before(async () => {
    db = await migratedDatabase();
    ({ id } = await db.database.asSystem((system) => insertOrganization(system, { name: 'O' })));
  });
  after(() => db.drop());

  const planOf = async ({ trx }: SystemScope, query: RawBuilder<unknown>): Promise<string> => {
    await sql`set local enable_seqscan = off`.execute(trx);
    const { rows } = await sql<Record<string, string>>`explain ${query}`.execute(trx);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };

  for (const rows of deletedTables)
    it(`are found by an index to delete them: ${rows.table}`, async () => {
      const plan = await db.database.asSystem((system) => planOf(system, batchToDelete(rows, id)));
      expect(plan).to.include('Tid Scan').and.not.include('Seq Scan');
    });

  for (const rows of [...deletedTables, ...keptTables].filter((one) => !('exported' in one)))
    it(`are found by an index to export them: ${rows.table}`, async () => {
      const plan = await db.database.inSnapshot(id, async (scope) =>
        planOf(scope, await selectExported(scope, rows)),
      );
      expect(plan).to.include('Index').and.not.include('Seq Scan');
    });

  it('are exported a few at a time where they may be large', async () => {
    await db.database.asSystem(({ trx }) =>
      sql`insert into temporary_files
            (organization_id, name, media_type, size_bytes, extracted_text, storage, expires_at)
          select ${id}::uuid, 'File ' || n, 'text/plain', 1000, repeat('a', 1000), 'postgres', now()
          from generate_series(1, 60) n`.execute(trx),
    );
    const batches: string[][] = [];
    await db.database.inSnapshot(id, (scope) =>
      exportOrganization(scope, (lines) => {
        batches.push(lines.trimEnd().split('\n'));
        return Promise.resolve();
      }),
    );
    const files = batches.filter(([first]) => first!.startsWith('{"table":"temporary_files"'));
    expect(files.map(({ length }) => length)).to.deep.equal([25, 25, 10]);
  });
});
