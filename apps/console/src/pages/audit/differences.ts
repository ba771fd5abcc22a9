/** The changes of a record, field by field. */

export type Difference = {
  /** The field: `tools › 0 › url`. */
  readonly place: string;
  /** Undefined if it did not exist. */
  readonly before: string | undefined;
  /** Undefined if it was removed. */
  readonly after: string | undefined;
};

type Leaves = Map<string, string>;

/** Compares objects and arrays recursively, so that only the parts that differ are shown. */
export function differencesOf(before: unknown, after: unknown): Difference[] {
  const [was, is] = [leavesOf(before), leavesOf(after)];
  const places = new Set([...was.keys(), ...is.keys()]);
  return [...places]
    .filter((place) => was.get(place) !== is.get(place))
    .map((place) => ({ place, before: was.get(place), after: is.get(place) }));
}

function leavesOf(value: unknown): Leaves {
  const leaves: Leaves = new Map();
  if (value !== null && value !== undefined) collect(value, [], leaves);
  return leaves;
}

const deepest = 20;

function collect(value: unknown, place: readonly string[], leaves: Leaves): void {
  const entries = place.length < deepest ? entriesOf(value) : [];
  if (entries.length === 0) {
    if (place.length > 0) leaves.set(place.join(' › '), textOf(value));
    return;
  }
  for (const [name, inner] of entries) collect(inner, [...place, name], leaves);
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/** Strings are shown as they are, everything else as JSON. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
