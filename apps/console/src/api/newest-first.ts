import type { Page } from '@parley/client/server';

type Place = { readonly offset: number; readonly limit: number };

/**
 * Lists start with the oldest item, but a log is read from its end. Converts an offset from the end
 * into one from the start; undefined beyond the list.
 */
export function placeFromEnd({ offset, limit }: Place, total: number): Place | undefined {
  const end = total - offset;
  if (end <= 0) return undefined;
  const start = Math.max(0, end - limit);
  return { offset: start, limit: end - start };
}

/**
 * A page with the newest items first. The total is requested first, because it determines where the
 * page starts.
 */
export async function newestFirst<Item>(
  list: (place: Place) => PromiseLike<Pick<Page<Item>, 'items' | 'total'>>,
  place: Place,
): Promise<Page<Item>> {
  const { total } = await list({ offset: 0, limit: 1 });
  const mirrored = placeFromEnd(place, total);
  const items = mirrored ? (await list(mirrored)).items.toReversed() : [];
  return { items, total, ...place };
}
