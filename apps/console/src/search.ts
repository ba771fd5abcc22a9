/**
 * Addresses hold what a page shows: filters, tabs, the open detail. Every value is a string, so
 * that links are easy to read and write.
 */

export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    if (typeof value === 'string' && value !== '') params.set(name, value);
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/** The parameters that a page knows; others are dropped. */
export function texts<const Name extends string>(...names: Name[]) {
  return (search: Record<string, unknown>): Partial<Record<Name, string>> => {
    const known: Partial<Record<Name, string>> = {};
    for (const name of names) {
      const value = Object.hasOwn(search, name) ? search[name] : undefined;
      if (typeof value === 'string' && value !== '') known[name] = value;
    }
    return known;
  };
}

/** The offset of a list's page. Anything invalid is the start. */
export function offsetOf(text: string | undefined): number {
  const offset = Number(text);
  return Number.isSafeInteger(offset) && offset > 0 ? offset : 0;
}
