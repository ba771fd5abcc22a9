import type { Frame } from './frame.js';

type Link = { readonly frame: Frame; readonly before: Link | undefined };

/**
 * Frames in order, by reference. Adding one, and dropping the oldest, costs the same however many
 * there are: new ones are linked backwards, and are only put in order when the older ones run out.
 */
export type KeptFrames = {
  readonly count: number;
  readonly bytes: number;
  readonly older: readonly Frame[];
  /** How many of the older ones were dropped. */
  readonly dropped: number;
  readonly newer: Link | undefined;
};

export const noFrames: KeptFrames = {
  count: 0,
  bytes: 0,
  older: [],
  dropped: 0,
  newer: undefined,
};

/** What a frame occupies besides its content, roughly. */
const frameOverhead = 100;

export function costOf({ data }: Frame): number {
  return data.length + frameOverhead;
}

export function withFrame(kept: KeptFrames, frame: Frame): KeptFrames {
  return {
    ...kept,
    count: kept.count + 1,
    bytes: kept.bytes + costOf(frame),
    newer: { frame, before: kept.newer },
  };
}

/** Without the oldest. */
export function withoutOldest(kept: KeptFrames, count: number): KeptFrames {
  if (count === 0) return kept;
  if (count >= kept.count) return noFrames;
  if (kept.dropped + count > kept.older.length) return withoutOldest(inOrder(kept), count);
  const { older } = kept;
  const dropped = kept.dropped + count;
  const cost = older.slice(kept.dropped, dropped).reduce((sum, frame) => sum + costOf(frame), 0);
  const left = { ...kept, count: kept.count - count, bytes: kept.bytes - cost, dropped };
  // Dropped frames stay in memory as long as the array has them.
  return dropped * 2 < older.length ? left : { ...left, older: older.slice(dropped), dropped: 0 };
}

export function framesIn(kept: KeptFrames): readonly Frame[] {
  return inOrder(kept).older;
}

function inOrder(kept: KeptFrames): KeptFrames {
  const newer: Frame[] = [];
  for (let link = kept.newer; link; link = link.before) newer.push(link.frame);
  const older = [...kept.older.slice(kept.dropped), ...newer.reverse()];
  return { ...kept, older, dropped: 0, newer: undefined };
}
