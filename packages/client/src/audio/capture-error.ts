import { ParleyError, type ParleyErrorCode } from '../errors.js';

type Meaning = readonly [ParleyErrorCode, string];

const denied: Meaning = [
  'microphone-denied',
  'Allow the microphone for this page in the browser’s settings, then try again.',
];
const missing: Meaning = [
  'microphone-missing',
  'The microphone is not connected. Connect or choose one, then try again.',
];
const held: Meaning = [
  'microphone-missing',
  'The microphone could not be opened. Close other programs that use it, then try again.',
];

/** By the name of the browser's error; any other name means that the device cannot be opened. */
const meanings = new Map([
  ['NotAllowedError', denied],
  ['SecurityError', denied],
  ['NotFoundError', missing],
  ['OverconstrainedError', missing],
]);

export function captureError(cause: unknown): ParleyError {
  const [code, message] = meanings.get((cause as Error).name) ?? held;
  return new ParleyError(code, message, { cause });
}
