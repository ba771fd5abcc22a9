/**
 * Closes of the service after which the client does not connect anew by itself: the session has ended as it should, nobody has said anything for
 * long, or it would be refused again. Any other close is a connection that was lost.
 */
export const finalCloses: ReadonlySet<number> = new Set([
  1000, // Normal
  1009, // MessageTooBig
  4400, // RealtimeSessionInvalid
  4408, // RealtimeSessionExpired
  4409, // RealtimeSessionAlreadyUsed
  4411, // IdleTimeout
  4412, // SessionRevoked
  4429, // QuotaReached
]);

/** `reason` is the service's name for the close, and its message is what it said before; a connection that broke has neither. */
export type Close = {
  readonly code: number;
  readonly reason: string;
  readonly message: string | undefined;
};
