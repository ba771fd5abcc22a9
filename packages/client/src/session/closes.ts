/**
 * What to do after a close. `end`: the session ended normally or was idle for too long, or the
 * service would refuse it again. `restart`: the session is over, and the conversation can continue
 * in another one; to open its resume path would count as a wrong token. `resume`: the connection
 * was lost, and the session may still be there.
 */
export type Sequel = 'end' | 'restart' | 'resume';

const sequels: ReadonlyMap<number, Sequel> = new Map([
  [1000, 'end'], // Normal
  [1009, 'end'], // MessageTooBig
  [1011, 'restart'], // InternalError
  [4400, 'end'], // RealtimeSessionInvalid
  [4408, 'end'], // RealtimeSessionExpired
  [4409, 'end'], // RealtimeSessionAlreadyUsed
  [4410, 'restart'], // MaxSessionDuration
  [4411, 'end'], // IdleTimeout
  [4412, 'end'], // SessionRevoked
  [4413, 'end'], // SessionTakenOver
  [4429, 'end'], // QuotaReached
  [4502, 'restart'], // ProviderUnavailable
  [4504, 'restart'], // ProviderConnectTimeout
]);

export function sequelOf(code: number): Sequel {
  return sequels.get(code) ?? 'resume';
}

/**
 * `reason` is the service's name for the close, and `message` what it said before closing; a broken
 * connection has neither.
 */
export type Close = {
  readonly code: number;
  readonly reason: string;
  readonly message: string | undefined;
};
