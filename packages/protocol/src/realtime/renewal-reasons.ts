/** Why a session continues on another connection to its provider. */
export const renewalReasons = {
  expiring: 'The provider’s own session would soon have reached its maximum duration.',
  expired: 'The provider’s own session reached its maximum duration.',
  closed: 'The provider closed the connection, or the connection broke.',
  silent: 'The provider no longer responded.',
  stalled: 'The provider no longer read what it was sent.',
} as const satisfies Record<string, string>;

export type RenewalReason = keyof typeof renewalReasons;
