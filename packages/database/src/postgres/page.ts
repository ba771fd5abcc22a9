import { sql, type SelectQueryBuilder } from 'kysely';
import type { Schema } from './schema.js';

export type PageRequest = { offset: number; limit: number };
export type PageOf<Item> = { items: Item[]; total: number };

/** The same rows of a list of `total`, counted from the nearer end. */
export function fromNearerEnd(
  { offset, limit }: PageRequest,
  total: number,
): PageRequest & { direction: 'asc' | 'desc' } {
  if (offset <= total / 2) return { offset, limit, direction: 'asc' };
  const rows = Math.max(0, Math.min(limit, total - offset));
  return { offset: Math.max(0, total - offset - rows), limit: rows, direction: 'desc' };
}

export type List<Table extends keyof Schema> = SelectQueryBuilder<Schema, Table, object>;

export async function countRows<Table extends keyof Schema>(list: List<Table>): Promise<number> {
  const { total } = await list.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  return total;
}

/**
 * The ids of a page of a list of `total` rows, ordered by one column and then by id. They are read
 * from the index alone, from the nearer end of the list; the wide rows are only read for those ids.
 * So the last page costs the same as the first.
 */
export function pageIds<Table extends keyof Schema>(
  list: List<Table>,
  { orderedBy, total, ...page }: PageRequest & { orderedBy: string; total: number },
) {
  const { offset, limit, direction } = fromNearerEnd(page, total);
  return list
    .select(sql.ref<string>('id').as('id'))
    .orderBy(sql.ref(orderedBy), direction)
    .orderBy(sql.ref('id'), direction)
    .limit(limit)
    .offset(offset);
}
