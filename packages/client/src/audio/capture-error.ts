import { ParleyError } from '../errors.js';

const denied = 'Allow the microphone for this page in the browser’s settings, then try again.';

/** What the browser's refusals mean; any other is of a device that cannot be opened. */
const refusals = new Map<string, ['microphone-denied' | 'microphone-missing', string]>([
  ['NotAllowedError', ['microphone-denied', denied]],
  ['SecurityError', ['microphone-denied', denied]],
  [
    'NotFoundError',
    ['microphone-missing', 'No microphone was found. Connect one, then try again.'],
  ],
  [
    'OverconstrainedError',
    ['microphone-missing', 'The chosen microphone is not connected. Choose another one.'],
  ],
]);

export function captureError(cause: unknown): ParleyError {
  const name = cause instanceof Error ? cause.name : '';
  const [code, message] = refusals.get(name) ?? [
    'microphone-missing',
    'The microphone could not be opened. Another program may use it: close that, then try again.',
  ];
  return new ParleyError(code, message, { cause });
}
