import { sql } from 'kysely';
import type { Actor } from '@parley/protocol';
import { recordChange } from '../audit/audit.js';
import type { Database, OrganizationScope, SystemScope } from '../postgres/database.js';

/**
 * The data of an organization that is deleted, in an order in which no reference dangles. Its row,
 * its keys, which are revoked, and its audit log are kept. Its files expire, and the worker removes
 * them with their bytes.
 */
export const deletedTables = [
  { table: 'idempotency_keys', exported: false },
  { table: 'webhook_deliveries' },
  { table: 'webhooks', hidden: ['secret'] },
  { table: 'tasks' },
  { table: 'usage_records' },
  { table: 'usage_days' },
  { table: 'organization_quotas' },
  { table: 'conversation_files' },
  { table: 'tool_calls' },
  { table: 'messages' },
  { table: 'runs' },
  { table: 'realtime_sessions', hidden: ['token_hash'] },
  { table: 'conversations' },
  { table: 'agent_secrets', hidden: ['secret'] },
  { table: 'agents' },
  { table: 'connections', hidden: ['secret'] },
  { table: 'sign_in_links', exported: false },
  { table: 'members', more: { email: 'users.email', name: 'users.name' } },
] as const satisfies readonly OrganizationTable[];

export const keptTables = [
  { table: 'api_keys', hidden: ['key_hash'] },
  { table: 'temporary_files' },
  { table: 'temporary_file_chunks', exported: false },
  { table: 'audit_heads' },
  { table: 'audit_log' },
] as const satisfies readonly OrganizationTable[];

type OrganizationTable = {
  table: string;
  hidden?: readonly string[];
  exported?: false;
  /** Of the account in `user_id`: a name in the export → a column. */
  more?: Readonly<Record<string, string>>;
};

/**
 * From now on, nobody can act for it: its keys are revoked, and what they opened ends. Calling it
 * again does the same to what was added meanwhile.
 */
export async function closeOrganization(
  { trx }: SystemScope,
  id: string,
  actor: Actor,
): Promise<void> {
  const closed = await trx
    .updateTable('organizations')
    .set({ deletedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .returning(['id', 'name', 'createdAt', 'deletedAt'])
    .executeTakeFirst();
  await trx
    .updateTable('apiKeys')
    .set({ revokedAt: sql<Date>`now()` })
    .where('organizationId', '=', id)
    .where('revokedAt', 'is', null)
    .execute();
  await trx
    .updateTable('temporaryFiles')
    .set({ expiresAt: sql<Date>`now()` })
    .where('organizationId', '=', id)
    .where('expiresAt', '>', sql<Date>`now()`)
    .execute();
  if (!closed) return;
  await recordChange({ trx }, actor, {
    action: 'organization.deleted',
    record: { ...closed, organizationId: id },
  });
}

const batchRows = 500;

/**
 * Everything that is known about it, except secrets and hashes of keys, as JSON lines of one
 * snapshot. Each batch is awaited before the next is read.
 */
export async function exportOrganization(
  scope: OrganizationScope,
  write: (lines: string) => Promise<void>,
): Promise<void> {
  const all: readonly OrganizationTable[] = [...keptTables, ...deletedTables];
  await exportTable(scope, { table: 'organizations' }, write);
  for (const table of all) if (table.exported !== false) await exportTable(scope, table, write);
}

/** Text as PostgreSQL writes it: `json` may contain what neither jsonb nor a parser preserves. */
async function exportTable(
  { organizationId, trx }: OrganizationScope,
  { table, hidden = [], more = {} }: OrganizationTable,
  write: (lines: string) => Promise<void>,
): Promise<void> {
  const { rows: columns } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table}
      and column_name <> all(${[...hidden]}::text[])
    order by ordinal_position`.execute(trx);
  const shown = sql.join([
    ...columns.map(({ name }) => sql.ref(name)),
    ...Object.entries(more).map(
      ([name, column]) =>
        sql`(select ${sql.ref(column)} from users where users.id = user_id) as ${sql.ref(name)}`,
    ),
  ]);
  const owner = sql.ref(table === 'organizations' ? 'id' : 'organization_id');
  await sql`declare exported no scroll cursor for
    select row_to_json(r)::text as row
    from (select ${shown} from ${sql.table(table)} where ${owner} = ${organizationId}) r`.execute(
    trx,
  );
  for (;;) {
    const { rows } = await sql<{ row: string }>`
      fetch ${sql.lit(batchRows)} from exported`.execute(trx);
    if (rows.length === 0) break;
    await write(rows.map(({ row }) => `{"table":"${table}","row":${row}}\n`).join(''));
  }
  await sql`close exported`.execute(trx);
}

/**
 * Deletes in short, independent transactions: after an interruption, calling it again continues.
 * Returns how many rows of each table were deleted.
 */
export async function deleteOrganizationData(
  database: Database,
  id: string,
): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {};
  for (const { table } of deletedTables) {
    deleted[table] = 0;
    for (;;) {
      const count = await database.asSystem((system) => deleteBatch(system, table, id));
      deleted[table] += count;
      if (count < batchRows) break;
    }
  }
  return deleted;
}

async function deleteBatch({ trx }: SystemScope, table: string, id: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where organization_id = ${id} limit ${batchRows}
    ))`.execute(trx);
  return Number(numAffectedRows);
}
