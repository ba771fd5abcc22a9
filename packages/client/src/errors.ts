/** The ways in which a call of this package, or a session, can fail. */
export type ParleyErrorCode =
  /** Your `create` function threw, or its result has no `webSocketPath`. */
  | 'create-failed'
  /** `create` returned a `webSocketPath` that was already used: each one opens one session. */
  | 'token-reused'
  /** The session did not open in time. */
  | 'connect-timeout'
  /** The connection could not be established, or was lost before the session opened. */
  | 'connect-failed'
  /** The service refused the session; `reason` is its error code. */
  | 'refused'
  /** Your signal was aborted, or the session was closed while connecting. */
  | 'aborted'
  /** The session is not open: it is reconnecting or closed. */
  | 'not-open'
  /**
   * A tool has no description or no function, or its schema is not the JSON schema of an object.
   */
  | 'tool-invalid'
  /** A function of this package was called with an invalid argument. */
  | 'argument-invalid'
  /** The approval was already decided, or it expired. */
  | 'approval-over'
  /** The user or the page’s permissions policy does not allow the microphone. */
  | 'microphone-denied'
  /** There is no microphone, or another program is using it. */
  | 'microphone-missing'
  /** This browser has no AudioWorklet, or the page is not served over HTTPS. */
  | 'audio-unsupported'
  /** This package's `audio-worklet.js` could not be loaded. */
  | 'worklet-failed';

/** The error that this package throws. The message says what to do. */
export class ParleyError extends Error {
  override readonly name = 'ParleyError';
  readonly code: ParleyErrorCode;
  /** The service's own name for the failure, such as `RealtimeSessionExpired` or `IdleTimeout`. */
  readonly reason: string | undefined;
  /** Whether the same call may succeed later. */
  readonly retry: boolean;

  /** @internal */
  constructor(
    code: ParleyErrorCode,
    message: string,
    { reason, retry = false, cause }: { reason?: string; retry?: boolean; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
    this.reason = reason;
    this.retry = retry;
  }
}
