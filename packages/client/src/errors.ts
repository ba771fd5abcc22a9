/** What can be wrong with how this package is used, or with a session. */
export type ParleyErrorCode =
  /** Your `create` function threw, or its answer has no `webSocketPath`. */
  | 'create-failed'
  /** `create` returned a `webSocketPath` that was opened before: each opens one session. */
  | 'token-reused'
  /** The session did not open in time. */
  | 'connect-timeout'
  /** The connection could not be made, or was lost before the session opened. */
  | 'connect-failed'
  /** The service refused the session; `reason` is its error code. */
  | 'refused'
  /** Your signal ended it, or the session was closed while it connected. */
  | 'aborted'
  /** The session is not open: it still reconnects, or it is closed. */
  | 'not-open'
  /** A tool lacks a description or a function, or its schema is no JSON schema of an object. */
  | 'tool-invalid'
  /** A function of this package was called with something else than it takes. */
  | 'argument-invalid'
  /** The approval was decided or expired before. */
  | 'approval-over'
  /** The user or the page’s permissions policy does not allow the microphone. */
  | 'microphone-denied'
  /** There is no microphone, or another program holds it. */
  | 'microphone-missing'
  /** This browser has no AudioWorklet, or the page is not served over HTTPS. */
  | 'audio-unsupported'
  /** The file `audio-worklet.js` of this package could not be loaded. */
  | 'worklet-failed';

/** What this package throws. The message says what to do. */
export class ParleyError extends Error {
  override readonly name = 'ParleyError';
  readonly code: ParleyErrorCode;
  /** The service's own name for what happened, such as `RealtimeSessionExpired` or `IdleTimeout`. */
  readonly reason: string | undefined;
  /** Whether the same may go well at another time. */
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
