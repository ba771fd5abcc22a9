/** What differs. Saving only that leaves alone what somebody else has changed. */
export function changesOf<T extends object>(before: T, after: T): Partial<T> {
  const names = Object.keys(after) as (keyof T)[];
  return Object.fromEntries(
    names.filter((name) => !sameJson(before[name], after[name])).map((name) => [name, after[name]]),
  ) as Partial<T>;
}

/** Compares without regard to the order of keys, which the service does not keep. */
export function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a, namesInOrder) === JSON.stringify(b, namesInOrder);
}

function namesInOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
