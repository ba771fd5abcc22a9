import { hasBadCharacter } from './storable.js';

/**
 * JSON.parse accepts texts that cause trouble later: a repeated key (which one counts?),
 * `__proto__` (becomes a prototype when copied), a NUL character or half of a surrogate pair
 * (PostgreSQL refuses them), nesting that JSON.stringify cannot serialize again, a number that
 * becomes Infinity and is written as null. This finds the first such hazard in a text that
 * JSON.parse has already accepted, in one pass and without recursion.
 */
export type JsonHazard =
  | 'too-deep'
  | 'repeated-key'
  | 'forbidden-key'
  | 'bad-character'
  | 'endless-number';

export const maxJsonDepth = 32;

export function findJsonHazard(text: string, maxDepth = maxJsonDepth): JsonHazard | undefined {
  // One entry per open bracket: the keys seen so far in an object, null in an array.
  const open: (Set<string> | null)[] = [];
  let keyNext = false;
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at];
    if (mark === '"') {
      const end = endOfString(text, at);
      const value = JSON.parse(text.slice(at, end + 1)) as string;
      const hazard = stringHazard(value, keyNext ? open.at(-1) : null);
      if (hazard) return hazard;
      keyNext = false;
      at = end;
    } else if (mark === '{' || mark === '[') {
      open.push(mark === '{' ? new Set() : null);
      if (open.length > maxDepth) return 'too-deep';
      keyNext = mark === '{';
    } else if (mark === '}' || mark === ']') {
      open.pop();
      keyNext = false;
    } else if (mark === ',') {
      keyNext = open.at(-1) instanceof Set;
    } else if (digit.test(mark ?? '')) {
      const end = endOfNumber(text, at);
      if (!Number.isFinite(Number(text.slice(at, end)))) return 'endless-number';
      at = end - 1;
    }
  }
  return undefined;
}

function stringHazard(value: string, keys: Set<string> | null | undefined): JsonHazard | undefined {
  if (hasBadCharacter(value)) return 'bad-character';
  if (!keys) return undefined;
  if (value === '__proto__') return 'forbidden-key';
  if (keys.has(value)) return 'repeated-key';
  keys.add(value);
  return undefined;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function endOfNumber(text: string, start: number): number {
  let at = start;
  while (at < text.length && partOfNumber.test(text.charAt(at))) at += 1;
  return at;
}

const digit = /[0-9]/;
const partOfNumber = /[0-9.eE+-]/;
