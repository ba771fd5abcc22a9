import { sql, type Kysely } from 'kysely';

/**
 * Only ASCII letters of an address have another case. In PostgreSQL's own locale, `İan` and the
 * `K` of kelvin were `ian` and `k`, and whoever added such an address first kept the other one's
 * owner out. This rebuilds the index on `lower(email)`; older versions keep finding it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users alter column email type text collate "C"`.execute(db);
}
