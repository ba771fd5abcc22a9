/** How the relay treats peers that are slow or gone, and organizations without tokens. Not settings: tests alone use other values. */
export type RelayLimits = {
  /** A reader with this much waiting for it pauses the other side … */
  readonly fullBytes: number;
  /** … until less than this is left. */
  readonly drainedBytes: number;
  /** A reader that stays full for this long is given up. */
  readonly stallMs: number;
  readonly pingMs: number;
  /** A peer that sends nothing for this long, not even the answer to a ping, is gone. */
  readonly silenceMs: number;
  /** How often it is looked whether organizations have tokens left, and how long their sessions go on without. */
  readonly quotaLookMs: number;
  readonly quotaNoticeSeconds: number;
};

export const relayLimits: RelayLimits = {
  fullBytes: 1024 * 1024,
  drainedBytes: 256 * 1024,
  stallMs: 10_000,
  pingMs: 20_000,
  silenceMs: 30_000,
  quotaLookMs: 5000,
  quotaNoticeSeconds: 10,
};
