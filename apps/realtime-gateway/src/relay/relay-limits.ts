/**
 * How the relay treats slow or missing peers, and organizations without tokens. Not settings: only
 * tests use other values.
 */
export type RelayLimits = {
  /** A reader with this many bytes waiting pauses the other side … */
  readonly fullBytes: number;
  /** … until fewer than this are left. */
  readonly drainedBytes: number;
  /**
   * A reader that stays full for this long, and has not even read the smaller number of bytes
   * meanwhile, is disconnected. What the operating system sends for us, it reports in large steps.
   */
  readonly stallMs: number;
  /** The same for a provider, which is replaced. */
  readonly providerStallMs: number;
  readonly pingMs: number;
  /** A peer that sends nothing for this long, not even a pong, is gone. */
  readonly silenceMs: number;
  /** The same for a provider, which is replaced. */
  readonly providerSilenceMs: number;
  /**
   * How often the tokens of organizations are checked, and how long their sessions continue without
   * any.
   */
  readonly quotaLookMs: number;
  readonly quotaNoticeSeconds: number;
};

export const relayLimits: RelayLimits = {
  fullBytes: 1024 * 1024,
  drainedBytes: 256 * 1024,
  stallMs: 30_000,
  providerStallMs: 10_000,
  pingMs: 20_000,
  silenceMs: 30_000,
  providerSilenceMs: 25_000,
  quotaLookMs: 5000,
  quotaNoticeSeconds: 10,
};
