/** Everything that can be wrong with how this package is used or with a session, and what it means. */
export const errorCodes = {
  'create-failed': 'Your `create` function threw, or its answer has no `webSocketPath`.',
  'token-reused':
    '`create` returned a `webSocketPath` that was opened before: each opens one session.',
  'connect-timeout': 'The session did not open in time.',
  'connect-failed': 'The connection could not be made, or was lost before the session opened.',
  refused: 'The service refused the session; `reason` is its error code.',
  aborted: 'Your signal ended it, or the session was closed while it connected.',
  'not-open': 'The session is not open: it still reconnects, or it is closed.',
  'tool-invalid':
    'A tool lacks a description or a function, or its schema is no JSON schema of an object.',
  'argument-invalid': 'A function of this package was called with something else than it takes.',
  'approval-over': 'The approval was decided or expired before.',
  'microphone-denied': 'The user or the page’s permissions policy does not allow the microphone.',
  'microphone-missing': 'There is no microphone, or another program holds it.',
  'audio-unsupported': 'This browser has no AudioWorklet, or the page is not served over HTTPS.',
  'worklet-failed': 'The file `audio-worklet.js` of this package could not be loaded.',
} as const;

export type ParleyErrorCode = keyof typeof errorCodes;

/** What this package throws. The message says what to do. */
export class ParleyError extends Error {
  override readonly name = 'ParleyError';
  readonly code: ParleyErrorCode;
  /** The service's own error code or close reason, such as `RealtimeSessionExpired`. */
  readonly reason: string | undefined;

  constructor(
    code: ParleyErrorCode,
    message: string,
    { reason, cause }: { reason?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
    this.reason = reason;
  }
}
