import { findJsonHazard } from '@parley/protocol';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is longer is not read, and forwarded as it is: parsing takes long enough to be heard in everybody else's audio. */
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

/** An event of the client that is written anew for the provider. Undefined when it repeats a key, or holds what bites later. */
export function readCareful(data: Buffer): JsonObject | undefined {
  const event = readObject(data);
  return event && findJsonHazard(data.toString()) === undefined ? event : undefined;
}

/**
 * An event of the client whose content decides what happens to it. Undefined when another reader could understand it
 * differently: repeated keys, or keys that some readers take for others because they ignore case (`ſ` is a small S, too).
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
