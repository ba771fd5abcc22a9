import { sql, type AliasableExpression, type Expression, type Transaction } from 'kysely';
import { countRows, pageIds, type List, type PageOf, type PageRequest } from './page.js';
import type { Schema } from './schema.js';

/** A page whose rows may be long: its first rows, and the ids of the others, in any order. */
export type LongPage<Row, Id = string> = PageOf<Row> & { rest: Id[] };

/** The ids of a page: a query, or those that are left of an earlier one. */
export type PageIds = AliasableExpression<{ id: string }>;

/** A batch holds about this many bytes, and at least one row. */
const batchBytes = 524_288;

/** What was measured about a row. */
export type Sized = { estimated: number; preceding: number };

type Column<Row> = keyof Row & string;

export type LongRows<Row> = {
  /** Columns of the rows. */
  orderedBy: readonly Column<Row>[];
  /** Columns of text or JSON that may be long. */
  long: readonly Column<Row>[];
  /** A column with the size of what is read for a row afterwards. */
  more?: Column<Row>;
};

/**
 * The first of the given rows that fit into a batch, each with `preceding`, the bytes before it. So
 * a hundred long rows are not in memory at once.
 *
 * PostgreSQL has to decompress a value to measure it. So an estimate from the size on disk decides
 * first, and then the real size of what is left.
 */
export function leadingRows<Row>(
  trx: Transaction<Schema>,
  rows: Expression<Row>,
  { orderedBy, long, more }: LongRows<Row>,
) {
  const order = sql.join(orderedBy.map((column) => sql.ref(column)));
  const bytesBefore = (sizeOf: (column: string) => Expression<number>) => {
    const sizes = [...long.map(sizeOf), ...(more === undefined ? [] : [sql.ref(more)])];
    return sql`coalesce(sum(1 + ${sql.join(sizes, sql` + `)}) over (
      order by ${order} rows between unbounded preceding and 1 preceding), 0)`;
  };
  return trx
    .selectFrom(
      sql<Row & Sized>`(
        select candidates.*, ${bytesBefore(realSize)} as preceding
        from (
          select listed.*, ${bytesBefore(estimatedSize)} as estimated from ${rows} as listed
        ) as candidates
        where estimated < ${sql.lit(batchBytes)}
      )`.as('sized'),
    )
    .selectAll()
    .where(sql<boolean>`preceding < ${sql.lit(batchBytes)}`)
    .orderBy(sql`preceding`);
}

/** Text rarely shrinks to less than a quarter. */
function estimatedSize(column: string) {
  const value = sql.ref(column);
  return sizeUnlessCompressed(column, sql`4 * pg_column_size(${value})`);
}

/** The elements of an array are never compressed. */
function realSize(column: string) {
  const value = sql.ref(column);
  return sizeUnlessCompressed(column, sql`pg_column_size(array[${value}])`);
}

function sizeUnlessCompressed(column: string, compressed: Expression<unknown>) {
  const value = sql.ref(column);
  return sql<number>`coalesce(case when pg_column_compression(${value}) is null
    then pg_column_size(${value}) else ${compressed} end, 0)`;
}

export function withoutSizes<Row extends Sized>({
  estimated: _estimated,
  preceding: _preceding,
  ...row
}: Row): Omit<Row, keyof Sized> {
  return row;
}

/** A page of a list, ordered by one column and then by id. `read` returns the leading rows. */
export async function longPage<Table extends keyof Schema, Row>(
  list: List<Table>,
  { orderedBy, ...page }: PageRequest & { orderedBy: string },
  read: (ids: PageIds) => Promise<Row[]>,
): Promise<LongPage<Row>> {
  const total = await countRows(list);
  const idsOf = (part: PageRequest) => pageIds(list, { orderedBy, total, ...part });
  const items = await read(idsOf(page));
  const rest = restOf(page, { items, total });
  return { items, total, rest: rest ? (await idsOf(rest).execute()).map(({ id }) => id) : [] };
}

/** The part of a page that follows its first rows; undefined if they are all. */
export function restOf(
  { offset, limit }: PageRequest,
  { items, total }: PageOf<unknown>,
): PageRequest | undefined {
  const left = Math.min(limit, total - offset) - items.length;
  return left > 0 ? { offset: offset + items.length, limit: left } : undefined;
}

/** Those of the given ids that are still in the list. */
export function idsAmong<Table extends keyof Schema>(
  list: List<Table>,
  ids: readonly string[],
): PageIds {
  return list.select(sql.ref<string>('id').as('id')).where(sql<boolean>`id = any(${ids}::uuid[])`);
}
