/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export type ParsedObject =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly message: string };

/** Parses an object that the user types; the error is a sentence. */
export function parseObject(text: string): ParsedObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return { ok: true, value };
    return { ok: false, message: 'This must be a JSON object.' };
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    return { ok: false, message: `This is not valid JSON. ${reason}`.trim() };
  }
}

export function prettyJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** The value of an own property. */
export function own<T>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The value at a JSON pointer. */
export function valueAt(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (inner, name) =>
        typeof inner === 'object' && inner !== null ? own(inner as Json, name) : undefined,
      value,
    );
}

/** A copy with another value for a key, or without the key. */
export function withValue<T extends object>(object: T, name: string, value: unknown): T {
  const changed = { ...object, [name]: value };
  if (value === undefined) Reflect.deleteProperty(changed, name);
  return changed;
}
