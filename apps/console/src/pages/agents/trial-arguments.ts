import { isObject, own, type Json, type ParsedObject } from './json.js';
import { rowsOf, type ParameterRow } from './parameter-rows.js';

/** The form fields for a tool's arguments; undefined if fields cannot show the schema. */
export function trialFields(parameters: unknown): readonly ParameterRow[] | undefined {
  if (parameters === undefined) return [];
  return isObject(parameters) ? rowsOf(parameters)?.rows : undefined;
}

/** The input as the model would send it. Empty fields are omitted. */
export function argumentsOf(
  fields: readonly ParameterRow[],
  typed: Readonly<Record<string, string>>,
): ParsedObject {
  const value: Record<string, unknown> = {};
  for (const { name, type } of fields) {
    const text = own(typed, name) ?? '';
    if (text === '') continue;
    const read = readArgument(type, text);
    if (read === undefined) return { ok: false, message: `${name} must be ${expected[type]}.` };
    value[name] = read.value;
  }
  return { ok: true, value };
}

const expected: Readonly<Record<ParameterRow['type'], string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'yes or no',
  array: 'a JSON list, such as ["a", "b"]',
  object: 'a JSON object, such as {"a": 1}',
  other: 'valid JSON',
};

function readArgument(type: ParameterRow['type'], text: string): { value: unknown } | undefined {
  switch (type) {
    case 'string':
      return { value: text };
    case 'boolean':
      return { value: text === 'true' };
    case 'integer':
      return Number.isSafeInteger(Number(text)) ? { value: Number(text) } : undefined;
    case 'number':
      return Number.isFinite(Number(text)) ? { value: Number(text) } : undefined;
    case 'array':
      return readJson(text, Array.isArray);
    case 'object':
      return readJson(text, isObject);
    case 'other':
      return readJson(text, () => true);
  }
}

function readJson(text: string, fits: (value: unknown) => boolean): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return fits(value) ? { value } : undefined;
  } catch {
    return undefined;
  }
}

/** The field values for arguments that were written as JSON. */
export function typedOf(fields: readonly ParameterRow[], value: Json): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap(({ name, type }) => {
      if (!Object.hasOwn(value, name)) return [];
      const inner = own(value, name);
      return [
        [name, type === 'string' && typeof inner === 'string' ? inner : JSON.stringify(inner)],
      ];
    }),
  );
}
