import fc, { type Arbitrary } from 'fast-check';

type Schema = Readonly<Record<string, unknown>>;

const longest = 40;

/** Ids of things that exist, and which name in a path or a body stands for which. */
export type Known = { ids: readonly string[]; seeds: Readonly<Record<string, string>> };

/** Values that a schema of the contract admits, or nearly: bounds that JSON Schema cannot draw from are left to the service to judge. */
export function arbitraryOf(schema: Schema, known: Known): Arbitrary<unknown> {
  const again = (part: unknown) => arbitraryOf(part as Schema, known);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  if ('const' in schema) return fc.constant(schema['const']);
  const choices = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(choices)) return fc.oneof(...choices.map(again));
  const { type } = schema;
  if (Array.isArray(type))
    return fc.oneof(...(type as string[]).map((one) => again({ ...schema, type: one })));
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer(rangeOf(schema));
    case 'number':
      return fc.double({ noNaN: true, ...rangeOf(schema) });
    case 'string':
      return stringOf(schema, known.ids);
    case 'array':
      return fc.array(again(schema['items'] ?? {}), { maxLength: 3 });
    case 'object':
      return objectOf(schema, (name, part) =>
        known.seeds[name] === undefined
          ? again(part)
          : fc.oneof(fc.constant(known.seeds[name]), again(part)),
      );
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function rangeOf({ minimum, maximum }: Schema): { min: number; max: number } {
  return {
    min: typeof minimum === 'number' ? minimum : -1000,
    max: Math.min(typeof maximum === 'number' ? maximum : 1000, 2 ** 31 - 1),
  };
}

function stringOf(schema: Schema, ids: readonly string[]): Arbitrary<string> {
  const { pattern, format, minLength = 0, maxLength = longest } = schema;
  if (typeof pattern === 'string' && pattern.startsWith('^[0-9a-fA-F]{8}-'))
    return fc.oneof(fc.constantFrom(...ids), fc.uuid());
  if (format === 'date-time')
    return fc
      .date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString());
  if (format === 'http-url') return fc.webUrl();
  if (typeof pattern === 'string' && pattern !== '\\S')
    return fc.stringMatching(new RegExp(pattern));
  const most = Math.max(Math.min(maxLength as number, longest), minLength as number);
  return fc
    .string({ unit: 'grapheme', minLength: minLength as number, maxLength: most })
    .map((text) => (pattern === undefined || /\S/.test(text) ? text : 'x'));
}

function objectOf(
  schema: Schema,
  field: (name: string, part: unknown) => Arbitrary<unknown>,
): Arbitrary<unknown> {
  const { properties, patternProperties, required = [] } = schema;
  if (patternProperties) {
    const [[pattern, value] = ['.', {}]] = Object.entries(patternProperties);
    return fc.dictionary(fc.stringMatching(new RegExp(pattern)), field('', value), { maxKeys: 3 });
  }
  const fields = Object.entries(properties ?? {}).map(
    ([name, part]) => [name, field(name, part)] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: required as string[] });
}
