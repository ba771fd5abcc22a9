export type PageRequest = { offset: number; limit: number };
export type PageOf<Item> = { items: Item[]; total: number };

/** The same rows of a list of `total`, counted from whichever end is nearer. */
export function fromNearerEnd(
  { offset, limit }: PageRequest,
  total: number,
): PageRequest & { direction: 'asc' | 'desc' } {
  if (offset <= total / 2) return { offset, limit, direction: 'asc' };
  const rows = Math.max(0, Math.min(limit, total - offset));
  return { offset: Math.max(0, total - offset - rows), limit: rows, direction: 'desc' };
}
