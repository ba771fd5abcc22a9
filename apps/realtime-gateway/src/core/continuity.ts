import type { Frame } from './frame.js';
import { framesIn, noFrames, withFrame, withoutOldest, type KeptFrames } from './kept-frames.js';

/**
 * What a resumable session knows about its client across connections: how much each side has
 * received, and what the client may still have missed. Each connection is a leg; only the current
 * one is heard and spoken to.
 */
export type Continuity = {
  /** The number of the current leg; undefined while the client has no connection. */
  readonly leg: number | undefined;
  /** How many legs there were. */
  readonly legs: number;
  /** How many messages of the client have arrived, on all legs. */
  readonly heard: number;
  /** How many messages the client was sent. */
  readonly sent: number;
  /** Those that the client has not acknowledged. */
  readonly kept: KeptFrames;
  readonly budgetBytes: number;
  /** The paths that were offered, oldest first, by the hashes of their tokens. */
  readonly paths: readonly ResumePath[];
  /** Whether the client has sent anything on the current leg. */
  readonly spoken: boolean;
  /** False once more had to be kept than there is room for. */
  readonly resumable: boolean;
};

type ResumePath = {
  readonly hash: string;
  readonly spent: boolean;
  /**
   * It was offered by the session that this one continues. A client that opens it again has received
   * nothing of this one, whatever it has counted before.
   */
  readonly isFormer?: true;
};

/** A client that comes back: by which path, and how many messages it says it has received. */
export type Return = { readonly hash: string; readonly received: number };

/** Older paths are forgotten, not merely spent. */
const maxPaths = 16;

/** `former` is the path by which the client came from the session that this one continues. */
export function openContinuity(budgetBytes: number, former?: string): Continuity {
  return {
    leg: 1,
    legs: 1,
    heard: 0,
    sent: 0,
    kept: noFrames,
    budgetBytes,
    paths: former === undefined ? [] : [{ hash: former, spent: false, isFormer: true }],
    spoken: false,
    resumable: true,
  };
}

/** Offers a path on the current leg. Earlier ones stay valid until the client speaks. */
export function offered(continuity: Continuity, hash: string): Continuity {
  const paths = [...continuity.paths, { hash, spent: false }].slice(-maxPaths);
  return { ...continuity, paths };
}

/** Keeps a message that is sent to the client, or would be if it had a connection. */
export function sent(continuity: Continuity, frame: Frame): Continuity {
  const next = { ...continuity, sent: continuity.sent + 1 };
  if (!continuity.resumable) return next;
  const kept = withFrame(continuity.kept, frame);
  return kept.bytes > continuity.budgetBytes ? givenUp(next) : { ...next, kept };
}

/**
 * Counts a message of the client, unless it is only about its connection. All paths but the one
 * that was offered on this leg are spent. Undefined if the leg is not the current one: nothing that
 * arrives on it has any effect.
 */
export function countHeard(
  continuity: Continuity,
  { leg, counts }: { readonly leg: number; readonly counts: boolean },
): Continuity | undefined {
  if (leg !== continuity.leg) return undefined;
  const count = continuity.heard + (counts ? 1 : 0);
  if (continuity.spoken) return { ...continuity, heard: count };
  const newest = continuity.paths.length - 1;
  const paths = continuity.paths.map((path, n) => (n < newest ? { ...path, spent: true } : path));
  return { ...continuity, heard: count, paths, spoken: true };
}

/** Undefined if the client was never sent that many. */
export function acknowledged(continuity: Continuity, received: number): Continuity | undefined {
  if (received > continuity.sent) return undefined;
  const { kept } = continuity;
  const more = received - (continuity.sent - kept.count);
  return more > 0 ? { ...continuity, kept: withoutOldest(kept, more) } : continuity;
}

/** A leg is gone; if it is the current one, the client has no connection. */
export function detached(continuity: Continuity, leg: number): Continuity {
  return leg === continuity.leg ? { ...continuity, leg: undefined } : continuity;
}

/** Whether a client without a connection can come back. */
export function canReturn({ resumable, paths }: Continuity): boolean {
  return resumable && paths.length > 0;
}

/** Why a client cannot come back like this. */
export type Objection = 'unknown' | 'opening' | 'spent' | 'received too many' | 'received too few';

export function objectionTo(
  { paths, sent, kept }: Continuity,
  { hash, received }: Return,
): Objection | undefined {
  const path = paths.find((each) => each.hash === hash);
  if (!path) return 'unknown';
  if (path.spent) return 'spent';
  if (path.isFormer) return undefined;
  if (received > sent) return 'received too many';
  return received < sent - kept.count ? 'received too few' : undefined;
}

/** Whether a path was offered by the session that this one continues. */
export function isFormer({ paths }: Continuity, hash: string): boolean {
  return paths.some((path) => path.hash === hash && path.isFormer === true);
}

/**
 * The client is back on a new leg, which takes over from any other, and misses these messages. The
 * path is the last to be forgotten: the client may know no other.
 */
export function resumed(
  continuity: Continuity,
  { hash, received }: Return,
): { readonly continuity: Continuity; readonly missed: readonly Frame[] } {
  const next = isFormer(continuity, hash)
    ? continuity
    : (acknowledged(continuity, received) ?? continuity);
  const leg = continuity.legs + 1;
  const others = continuity.paths.filter((path) => path.hash !== hash);
  const used = continuity.paths.filter((path) => path.hash === hash);
  return {
    continuity: {
      ...next,
      leg,
      legs: leg,
      spoken: false,
      paths: [...others, ...used],
    },
    missed: framesIn(next.kept),
  };
}

/** The session can no longer be resumed, and keeps nothing. */
export function givenUp(continuity: Continuity): Continuity {
  return { ...continuity, resumable: false, kept: noFrames, paths: [] };
}
