import type { Texts } from './texts.js';

/** A row that shows an argument of a tool call. */
export type Row = { readonly label: string; readonly value: string };

export type Rows = {
  readonly rows: readonly Row[];
  /** Number of rows left out. */
  readonly more: number;
  /** The complete JSON; null if the rows already show everything. */
  readonly json: string | null;
};

const maxRows = 12;
const maxDepth = 3;

/**
 * Names become words and nested objects become paths; a value that is not an object is one row
 * without a name.
 */
export function readableArguments(value: unknown, texts: Texts): Rows {
  if (isNothing(value)) return { rows: [], more: 0, json: null };
  if (typeof value !== 'object')
    return { rows: [{ label: '', value: textOf(value, texts) }], more: 0, json: null };
  const all = rowsOf({ value, path: [], texts });
  return {
    rows: all.slice(0, maxRows),
    more: Math.max(0, all.length - maxRows),
    json: JSON.stringify(value, null, 2),
  };
}

type Part = {
  readonly value: unknown;
  readonly path: readonly string[];
  readonly texts: Texts;
};

function rowsOf({ value, path, texts }: Part): Row[] {
  if (isObject(value) && path.length < maxDepth)
    return Object.entries(value).flatMap(([name, each]) =>
      rowsOf({ value: each, path: [...path, humanized(name)], texts }),
    );
  return [{ label: path.join(' › '), value: textOf(value, texts) }];
}

function textOf(value: unknown, texts: Texts): string {
  if (value === true) return texts.yes;
  if (value === false) return texts.no;
  if (isNothing(value)) return texts.none;
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
    return value.map((each) => textOf(each, texts)).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isNothing(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === null || value === undefined || value === '';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isNothing(value);
}

/** `create_task` and `createTask` become "Create task"; acronyms stay in capitals. */
export function humanized(name: string): string {
  const words = name
    .replace(/[_\-.\s]+/g, ' ')
    .replace(/([a-z\d])([A-Z])/g, (_, before: string, after: string) => `${before} ${after}`)
    .trim()
    .split(' ')
    .map((word) => (/^[A-Z][a-z]/.test(word) ? word.toLowerCase() : word));
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
