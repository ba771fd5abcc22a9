import type { RenewalReason } from '@parley/protocol';
import { textIn } from './read-event.js';

/** The provider's side of a session, which outlives its connections. */
export type ProviderSide = {
  /** The number of the current connection. */
  readonly leg: number;
  /** Which of the session's connections it uses, as an index. */
  readonly via: number;
  /** The client has got session.created, so it gets no other one. */
  readonly greeted: boolean;
  /** How many renewals of the last minute count. */
  readonly renewals: number;
  /**
   * The provider is about to end its session: renew after the next response, or as soon as nobody
   * speaks.
   */
  readonly ripe: 'no' | 'soon' | 'now';
  /** Replayed items whose acknowledgements are still to come. The client does not see them. */
  readonly echoes: ReadonlySet<string>;
  /** Items that the client removed: they are not replayed. The newest last. */
  readonly removed: readonly string[];
  readonly renewal: Renewal | null;
};

/**
 * A renewal in progress.
 *
 *   waiting      All connections have failed, and the next round has not begun.
 *   greeting     A connection is being dialled, or has not sent session.created.
 *   configuring  The service has sent its session.update and waits for session.updated.
 *   reading      The provider is ready, and the record is being read.
 */
export type Renewal = {
  readonly reason: RenewalReason;
  readonly step: 'waiting' | 'greeting' | 'configuring' | 'reading';
  /** The connections in the order of a round, and those that this round has left. */
  readonly order: readonly number[];
  readonly left: readonly number[];
};

/** Why an attempt to renew has failed. */
export const renewalFailures = ['refused', 'closed', 'error', 'timeout', 'record'] as const;
export type RenewalFailure = (typeof renewalFailures)[number];

export const firstSide: ProviderSide = {
  leg: 1,
  via: 0,
  greeted: false,
  renewals: 0,
  ripe: 'no',
  echoes: new Set(),
  removed: [],
  renewal: null,
};

export function refusedBecause(reason: string): string {
  return `The provider refused the session: ${reason || 'it gave no reason'}`;
}

/** The same, with the error of its event as the reason. */
export function refusedWith(error: unknown): string {
  const words = [textIn(error, 'code'), textIn(error, 'message')];
  return refusedBecause(words.filter(Boolean).join(': '));
}

const maxRemoved = 500;

export function withRemoved(side: ProviderSide, itemId: string): ProviderSide {
  return { ...side, removed: [...side.removed, itemId].slice(-maxRemoved) };
}
