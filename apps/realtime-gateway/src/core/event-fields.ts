import { storable, type JsonObject } from '@parley/protocol';

const maxIdLength = 200;

/** The words of an event or of an item's content part. */
export function wordsIn({ transcript, text }: JsonObject): string | undefined {
  if (typeof transcript === 'string') return storable(transcript);
  return typeof text === 'string' ? storable(text) : undefined;
}

type IdField = 'id' | 'item_id' | 'event_id' | 'response_id';

export function storableIdIn(source: JsonObject, key: IdField): string | undefined {
  const id = source[key];
  if (typeof id !== 'string' || id.length > maxIdLength) return undefined;
  return storable(id) || undefined;
}

export function wholeIn(
  source: JsonObject,
  key: 'audio_end_ms' | 'content_index',
): number | undefined {
  const value = source[key];
  const fits = Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31;
  return fits ? (value as number) : undefined;
}

/** Enough to recognize words, in a copy that does not keep all of them in memory. */
export function fingerprint(words: string): string {
  const beginning = Buffer.from(words.slice(0, 200)).toString();
  return `${words.length} ${checksum(words)} ${beginning}`;
}

/** FNV-1a: distinguishes texts that begin alike. */
function checksum(words: string): number {
  let sum = 0x811c9dc5;
  for (let at = 0; at < words.length; at += 1)
    sum = Math.imul(sum ^ words.charCodeAt(at), 0x01000193);
  return sum >>> 0;
}
