/**
 * Messages are loaded in blocks, so that a long conversation does not have to be loaded completely.
 */
export const blockSize = 100;

/**
 * The blocks that are shown, by number; if `last` is undefined, the range grows with the
 * conversation.
 */
export type Range = { readonly first: number; readonly last: number | undefined };

export type Blocks = { readonly first: number; readonly last: number; readonly end: number };

/** Enough of the end to fill a screen; at most two blocks. */
export function endOf(total: number): Range {
  const end = lastBlock(total);
  return { first: Math.max(0, end - 1), last: undefined };
}

export const beginning: Range = { first: 0, last: 0 };

export function blocksOf({ first, last }: Range, total: number): Blocks {
  const end = lastBlock(total);
  return { first: Math.min(first, end), last: Math.min(last ?? end, end), end };
}

/** A range that reaches the end follows it from then on. */
export function later({ first, last }: Range, total: number): Range {
  if (last === undefined) return { first, last };
  return { first, last: last + 1 >= lastBlock(total) ? undefined : last + 1 };
}

export function earlier({ first, last }: Range): Range {
  return { first: Math.max(0, first - 1), last };
}

function lastBlock(total: number): number {
  return Math.max(0, Math.ceil(total / blockSize) - 1);
}

/** In order, without duplicates: late messages can shift the border between two blocks. */
export function joined<Item extends { readonly id: string }>(
  blocks: readonly (readonly Item[])[],
): Item[] {
  return [...new Map(blocks.flat().map((item) => [item.id, item])).values()];
}
