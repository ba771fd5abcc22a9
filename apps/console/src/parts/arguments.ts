/** The arguments of a tool call, as readable rows. */
export type ArgumentRow = { readonly label: string; readonly value: string };

export type ReadableArguments = {
  readonly rows: readonly ArgumentRow[];
  /** Number of rows left out. */
  readonly more: number;
};

const maxRows = 24;
const maxDepth = 3;

/**
 * Names become words and nested objects become paths; a value that is not an object is one row
 * without a name.
 */
export function readableArguments(value: unknown): ReadableArguments {
  if (isNothing(value)) return { rows: [], more: 0 };
  const all = rowsOf(value, []);
  return { rows: all.slice(0, maxRows), more: Math.max(0, all.length - maxRows) };
}

function rowsOf(value: unknown, path: readonly string[]): ArgumentRow[] {
  if (isObject(value) && path.length < maxDepth)
    return Object.entries(value).flatMap(([name, each]) =>
      rowsOf(each, [...path, humanized(name)]),
    );
  return [{ label: path.join(' › '), value: textOf(value) }];
}

function textOf(value: unknown): string {
  if (value === true) return 'Yes';
  if (value === false) return 'No';
  if (isNothing(value)) return 'None';
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
    return value.map((each) => textOf(each)).join(', ');
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

const longest = 240;
const mostLines = 4;

/** The beginning of a long value; undefined if it is short. */
export function folded(value: string): string | undefined {
  const lines = value.split('\n', mostLines + 1);
  const start = lines.slice(0, mostLines).join('\n');
  if (lines.length <= mostLines && value.length <= longest + 40) return undefined;
  // Does not split a surrogate pair.
  return start.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '');
}
