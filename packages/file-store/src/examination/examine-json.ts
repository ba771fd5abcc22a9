import { beginning, encodingOf, isJson } from '../text.js';
import { refused, type Examined } from './examined.js';

/** A JSON document that is too large to be parsed in the main process. */
export function examineJson(bytes: Uint8Array, maxLength: number): Examined {
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes);
  if (!isJson(text)) return refused('not-json');
  return { kind: 'text', text: beginning(text, maxLength), truncated: text.length > maxLength };
}
