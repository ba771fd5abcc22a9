import { findJsonHazard, isObject, type JsonObject } from '@parley/protocol';

/**
 * Larger frames are forwarded without being parsed: parsing them takes long enough to be audible in
 * the audio of other sessions.
 */
export const maxReadBytes = 2 * 1024 * 1024;

export function readObject(data: Buffer): JsonObject | undefined {
  if (data.length > maxReadBytes) return undefined;
  try {
    const value: unknown = JSON.parse(data.toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads a client's event that is rewritten for the provider. Undefined if it repeats a key, or
 * contains something unsafe.
 */
export function readCareful(data: Buffer): JsonObject | undefined {
  const event = readObject(data);
  return event && findJsonHazard(data.toString()) === undefined ? event : undefined;
}

/**
 * Reads a client's event whose content decides how it is handled. Undefined if another parser could
 * read it differently: because of repeated keys, or keys that are equal to a parser that ignores
 * case (`ſ` is a lowercase S, too).
 */
export function readUnambiguous(
  data: Buffer,
  part: 'response' | 'item' | 'data',
): JsonObject | undefined {
  const event = readCareful(data);
  if (!event) return undefined;
  const inner = event[part];
  const keys = [...Object.keys(event), ...(isObject(inner) ? Object.keys(inner) : [])];
  return keys.every(isFolded) ? event : undefined;
}

function isFolded(key: string): boolean {
  return key === 'callId' || key === key.toUpperCase().toLowerCase();
}

/** Empty if there is no text. */
export function textIn(source: unknown, key: 'code' | 'message' | 'event_id' | 'model'): string {
  const value = isObject(source) ? source[key] : undefined;
  return typeof value === 'string' ? value : '';
}

const maxIdLength = 256;

export function idIn(
  source: JsonObject,
  key: 'id' | 'item_id' | 'call_id' | 'response_id',
): string | undefined {
  const id = source[key];
  return typeof id === 'string' && id !== '' && id.length <= maxIdLength ? id : undefined;
}
