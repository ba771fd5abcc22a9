import { expect } from 'chai';
import { sql } from 'kysely';
import { migratedDatabase, type MigratedDatabase } from '@parley/testkit';

/** References without an index of their own, because nobody waits for PostgreSQL to search them. */
const accepted = [
  // Agents are kept when they are deleted, and so are API keys. When their organization is deleted,
  // nothing refers to them any more.
  'conversations.agent_id',
  'realtime_sessions.agent_id',
  'realtime_sessions.key_id',
  'runs.agent_id',
  'runs.key_id',
  'tool_calls.agent_id',
  // The agents of an organization are few, and have an index by organization.
  'agents.connection_id',
  // An organization's row is never deleted.
  'agent_secrets.organization_id',
  'conversation_files.organization_id',
  'temporary_file_chunks.organization_id',
  'webhook_deliveries.organization_id',
];

describe('what refers to a row', () => {
  let db: MigratedDatabase;

  before(async () => {
    db = await migratedDatabase();
  });
  after(() => db.drop());

  /** An index begins with the reference, or with the organization and the reference. */
  const references = () =>
    db.database.asSystem(({ trx }) =>
      sql<{ name: string; isIndexed: boolean }>`
        select key.conrelid::regclass || '.' || a.attname as name, bool_and(exists (
          select from pg_index i
          join pg_attribute first on first.attrelid = i.indrelid and first.attnum = i.indkey[0]
          where i.indrelid = key.conrelid
            and (first.attnum = a.attnum
              or (first.attname = 'organization_id' and i.indkey[1] = a.attnum))
            and coalesce(pg_get_expr(i.indpred, i.indrelid), '')
              in ('', format('(%I IS NOT NULL)', a.attname))
        )) as is_indexed
        from pg_constraint key
        join pg_attribute a on a.attrelid = key.conrelid and a.attnum = any(key.conkey)
        where key.contype = 'f' and (a.attname <> 'organization_id' or cardinality(key.conkey) = 1)
        group by 1`.execute(trx),
    );

  it('is found by an index when the row is deleted', async () => {
    const { rows } = await references();
    const missing = rows.filter(({ isIndexed }) => !isIndexed);
    expect(missing.map(({ name }) => name)).to.have.members(accepted);
  });
});
