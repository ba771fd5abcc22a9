import { millisecondsOf, type AudioFormat } from './audio-format.js';
import { findText } from './hidden-text.js';

/** What the model understands: the text hidden in the sound, or how long it was. */
export function hear(bytes: Buffer, format: AudioFormat): string {
  const text = findText(bytes, format);
  if (text !== undefined) return text;
  return `(${(millisecondsOf(format, bytes.length) / 1000).toFixed(1)} seconds of speech)`;
}
