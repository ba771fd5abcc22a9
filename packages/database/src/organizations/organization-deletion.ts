import { sql, type RawBuilder } from 'kysely';
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
  { table: 'webhook_deliveries', of: { parent: 'webhooks', by: 'webhook_id' } },
  { table: 'webhooks', hidden: ['secret'] },
  { table: 'tasks' },
  { table: 'usage_records' },
  { table: 'usage_days' },
  { table: 'organization_quotas' },
  { table: 'conversation_files', of: { parent: 'conversations', by: 'conversation_id' } },
  { table: 'tool_calls', wide: true },
  { table: 'messages', wide: true },
  { table: 'runs', wide: true },
  { table: 'realtime_sessions', hidden: ['token_hash'] },
  { table: 'conversations' },
  { table: 'agent_secrets', of: { parent: 'agents', by: 'agent_id' }, hidden: ['secret'] },
  { table: 'agents' },
  { table: 'connections', hidden: ['secret'] },
  { table: 'sign_in_links', exported: false },
  { table: 'members', more: { email: 'users.email', name: 'users.name' } },
] as const satisfies readonly OrganizationTable[];

export const keptTables = [
  { table: 'api_keys', hidden: ['key_hash'] },
  { table: 'temporary_files', wide: true },
  { table: 'temporary_file_chunks', exported: false },
  { table: 'audit_heads' },
  { table: 'audit_log', wide: true },
] as const satisfies readonly OrganizationTable[];

type OrganizationTable = {
  table: string;
  /** Its rows have no index by organization, and are found by the rows that they belong to. */
  of?: { readonly parent: string; readonly by: string };
  hidden?: readonly string[];
  exported?: false;
  /** Its rows may have megabytes each. */
  wide?: true;
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
/** A batch of the longest texts of files is 100 MB: it neither times out nor exceeds a string. */
const wideBatchRows = 25;

/**
 * Everything that is known about it, except secrets and hashes of keys, as JSON lines of one
 * snapshot. Each batch is awaited before the next is read.
 */
export async function exportOrganization(
  scope: OrganizationScope,
  write: (lines: string) => Promise<void>,
): Promise<void> {
  const all: readonly OrganizationTable[] = [...keptTables, ...deletedTables];
  await useIndexes(scope);
  await exportTable(scope, { table: 'organizations' }, write);
  for (const table of all) if (table.exported !== false) await exportTable(scope, table, write);
}

/**
 * Otherwise, PostgreSQL may expect to find rows of a large organization soon without an index, and
 * read the whole table when few are left.
 */
async function useIndexes({ trx }: SystemScope): Promise<void> {
  await sql`set local enable_seqscan = off`.execute(trx);
}

async function exportTable(
  scope: OrganizationScope,
  exported: OrganizationTable,
  write: (lines: string) => Promise<void>,
): Promise<void> {
  const { trx } = scope;
  const { table, wide } = exported;
  const most = sql.lit(wide ? wideBatchRows : batchRows);
  const rowsToExport = await selectExported(scope, exported);
  await sql`declare exported no scroll cursor for ${rowsToExport}`.execute(trx);
  for (;;) {
    const { rows } = await sql<{ row: string }>`fetch ${most} from exported`.execute(trx);
    if (rows.length === 0) break;
    await write(rows.map(({ row }) => `{"table":"${table}","row":${row}}\n`).join(''));
  }
  await sql`close exported`.execute(trx);
}

/** Text as PostgreSQL writes it: `json` may contain what neither jsonb nor a parser preserves. */
export async function selectExported(
  { organizationId, trx }: OrganizationScope,
  exported: OrganizationTable,
): Promise<RawBuilder<unknown>> {
  const { table, hidden = [], more = {} } = exported;
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
  return sql`select row_to_json(r)::text as row
    from (select ${shown} from ${sql.table(table)} where ${belongsTo(organizationId, exported)}) r`;
}

function belongsTo(organizationId: string, { table, of }: OrganizationTable): RawBuilder<unknown> {
  if (table === 'organizations') return sql`id = ${organizationId}`;
  const own = sql`organization_id = ${organizationId}`;
  return of
    ? sql`${own} and ${sql.ref(of.by)} in (select id from ${sql.table(of.parent)} where ${own})`
    : own;
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
  for (const rows of deletedTables) {
    const { table } = rows;
    deleted[table] = 0;
    for (;;) {
      const count = await database.asSystem((system) => deleteBatch(system, rows, id));
      deleted[table] += count;
      if (count < batchRows) break;
    }
  }
  return deleted;
}

async function deleteBatch(
  system: SystemScope,
  table: OrganizationTable,
  id: string,
): Promise<number> {
  await useIndexes(system);
  const { numAffectedRows = 0n } = await batchToDelete(table, id).execute(system.trx);
  return Number(numAffectedRows);
}

export function batchToDelete(rows: OrganizationTable, id: string): RawBuilder<unknown> {
  const table = sql.table(rows.table);
  return sql`delete from ${table} where ctid = any(array(
    select ctid from ${table} where ${belongsTo(id, rows)} limit ${batchRows}))`;
}
