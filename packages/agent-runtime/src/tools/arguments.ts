import { createHash } from 'node:crypto';
import { canonicalJson } from '@parley/database';
import { findJsonHazard, storable } from '@parley/protocol';
import { firstMismatch } from './schema-check.js';

const maxBytes = 64 * 1024;

/** The arguments of a tool call: valid, or with the error for the model. */
export type ParsedArguments =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly value: unknown; readonly message: string };

const hazards = {
  'too-deep': 'they are nested too deep',
  'repeated-key': 'a key stands twice in the same object',
  'forbidden-key': 'the key __proto__ is not allowed',
  'endless-number': 'a number is larger than a double can hold',
  'bad-character': 'a text has a NUL character or half a surrogate pair',
} as const;

/** A model that calls without arguments may send nothing at all. */
export function parseArguments(
  text: string,
  schema: Readonly<Record<string, unknown>> | undefined,
): ParsedArguments {
  const value = parse(text.trim() === '' ? '{}' : text);
  if (typeof value === 'string') return refuse(text, value);
  const mismatch = schema && firstMismatch(value.json, schema);
  return mismatch === undefined
    ? { ok: true, value: value.json }
    : { ok: false, value: value.json, message: `The arguments do not fit: ${mismatch}.` };
}

/** The arguments, or why there are none. */
function parse(text: string): { json: Record<string, unknown> } | string {
  if (Buffer.byteLength(text) > maxBytes) return `they exceed ${maxBytes} bytes`;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return 'they are not JSON';
  }
  const hazard = findJsonHazard(text);
  if (hazard) return hazards[hazard];
  return typeof json === 'object' && json !== null && !Array.isArray(json)
    ? { json: json as Record<string, unknown> }
    : 'they are not a JSON object';
}

/** The raw text is shown and recorded instead, as far as it can be stored. */
function refuse(text: string, reason: string): ParsedArguments {
  return {
    ok: false,
    value: storable(text.slice(0, maxBytes)),
    message: `The arguments cannot be read: ${reason}.`,
  };
}

/** Equal for equal arguments, however they are spelled: what a person approved is what runs. */
export function argumentsHash(name: string, value: unknown): string {
  return createHash('sha256')
    .update(canonicalJson([name, value]))
    .digest('base64url');
}
