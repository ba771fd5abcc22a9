/**
 * Close codes after which the client does not reconnect by itself: the session ended normally or
 * was idle for too long, or the service would refuse it again. Any other close counts as a lost
 * connection.
 */
export const finalCloses: ReadonlySet<number> = new Set([
  1000, // Normal
  1009, // MessageTooBig
  4400, // RealtimeSessionInvalid
  4408, // RealtimeSessionExpired
  4409, // RealtimeSessionAlreadyUsed
  4411, // IdleTimeout
  4412, // SessionRevoked
  4413, // SessionTakenOver
  4429, // QuotaReached
]);

/**
 * `reason` is the service's name for the close, and `message` what it said before closing; a broken
 * connection has neither.
 */
export type Close = {
  readonly code: number;
  readonly reason: string;
  readonly message: string | undefined;
};
