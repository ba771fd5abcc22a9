import type { Page } from '@parley/client/server';

type Place = { readonly offset: number; readonly limit: number };

/** Lists begin with the oldest; a log is read from its end. The place, counted from the end, of a list of so many; undefined beyond it. */
export function placeFromEnd({ offset, limit }: Place, total: number): Place | undefined {
  const end = total - offset;
  if (end <= 0) return undefined;
  const start = Math.max(0, end - limit);
  return { offset: start, limit: end - start };
}

/** A page with the newest first. How many there are is asked for before, which says where the page begins. */
export async function newestFirst<Item>(
  list: (place: Place) => PromiseLike<Pick<Page<Item>, 'items' | 'total'>>,
  place: Place,
): Promise<Page<Item>> {
  const { total } = await list({ offset: 0, limit: 1 });
  const mirrored = placeFromEnd(place, total);
  const items = mirrored ? (await list(mirrored)).items.toReversed() : [];
  return { items, total, ...place };
}
