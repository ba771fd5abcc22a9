import { isOpenerUsable, type Database, type OrganizationScope } from '@parley/database';
import { Problem } from '@parley/protocol';
import type { Caller, Streamed } from './call.js';

type Source = { database: Pick<Database, 'inOrganization'>; caller: Caller };

/** For what is read while it is sent: it ends when its caller's API key does. */
export function readLater<T>(
  { database, caller }: Source,
  work: (scope: OrganizationScope) => Promise<T>,
): Promise<T> {
  return database.inOrganization(caller.organizationId, async (scope) => {
    if (!(await isOpenerUsable(scope, caller.openedBy)))
      throw new Problem(
        'key-invalid',
        'The API key was revoked or has expired, or the member was removed.',
      );
    return work(scope);
  });
}

/** A page of rows that may be long: the first of them, and how to read the others. */
export type LongPage<Id, Row, Item> = {
  items: Row[];
  total: number;
  offset: number;
  limit: number;
  /** The ids of the other rows. */
  rest: Id[];
  idOf: (row: Row) => Id;
  /** The first of these rows, at least one of those that still exist. */
  read: (scope: OrganizationScope, ids: readonly Id[]) => Promise<Row[]>;
  view: (row: Row) => Item;
};

/**
 * A page that does not fit into memory with those of others is read in batches, each in its own
 * transaction, and sent item by item, so that a slow reader holds one batch and no connection. What
 * was deleted in the meantime is left out.
 */
export function longPage<Id, Row, Item>(
  source: Source,
  page: LongPage<Id, Row, Item>,
): { items: Item[]; total: number; offset: number; limit: number } | Streamed {
  const { items, total, offset, limit, rest, view } = page;
  if (rest.length === 0) return { items: items.map(view), total, offset, limit };
  const end = JSON.stringify({ total, offset, limit }).slice(1);
  return {
    mediaType: 'application/json; charset=utf-8',
    headers: {},
    chunks: (async function* () {
      let separator = '{"items":[';
      for await (const row of rowsOf(source, page)) {
        yield separator + JSON.stringify(view(row));
        separator = ',';
      }
      yield `],${end}`;
    })(),
  };
}

/** A row that was sent is not kept. */
async function* rowsOf<Id, Row>(
  source: Source,
  { items, rest, idOf, read }: LongPage<Id, Row, unknown>,
): AsyncGenerator<Row> {
  const left = new Set(rest);
  for (let batch = items; batch.length > 0;) {
    for (let row = batch.shift(); row !== undefined; row = batch.shift()) {
      left.delete(idOf(row));
      yield row;
    }
    if (left.size > 0) batch = await readLater(source, (scope) => read(scope, [...left]));
  }
}
