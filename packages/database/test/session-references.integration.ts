import { expect } from 'chai';
import { sql } from 'kysely';
import { migratedDatabase, type MigratedDatabase } from '@parley/testkit';

describe('what refers to a session', () => {
  let db: MigratedDatabase;

  before(async () => {
    db = await migratedDatabase();
  });
  after(() => db.drop());

  it('is found by an index when the session is deleted', async () => {
    const { rows } = await db.database.asSystem(({ trx }) =>
      sql<{ child: string; isIndexed: boolean }>`
        select key.conrelid::regclass::text as child, exists (
          select from pg_index i
          join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
          where i.indrelid = key.conrelid and a.attname = 'session_id'
            and coalesce(pg_get_expr(i.indpred, i.indrelid), '') in ('', '(session_id IS NOT NULL)')
        ) as is_indexed
        from pg_constraint key
        where key.contype = 'f' and key.confrelid = 'realtime_sessions'::regclass`.execute(trx),
    );
    expect(rows).to.deep.include({ child: 'tool_calls', isIndexed: true });
    expect(rows.filter(({ isIndexed }) => !isIndexed)).to.deep.equal([]);
  });
});
