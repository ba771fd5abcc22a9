import {
  schemaArrayKeyword,
  schemaKeyword,
  schemaMapKeyword,
  Validator,
  type Schema,
} from '@cfworker/json-schema';
import { isObject, type JsonObject } from '@parley/protocol';

/**
 * Validates arguments against a schema that a tenant or an MCP server wrote, with an interpreter:
 * nothing is compiled. So that no schema blocks the process, each visit of a subschema is charged
 * to a budget (which also ends self-referencing schemas). Checks that may be disproportionately
 * expensive are left to the model, which gets the whole schema: formats, unique items, and patterns
 * that have many ways to match, apply to a long text, or follow many others.
 */
const budget = 10_000;
/** Lengths are counted character by character, as often as a schema requires them. */
const charactersPerVisit = 500;
/** With two choices, the worst pattern takes some hundred thousand steps on such a text. */
const patternLimits = { choices: 2, textLength: 128, checks: 200 } as const;

/**
 * The first mismatch between the arguments and the schema, as a message for the model; undefined if
 * they are valid.
 */
export function firstMismatch(value: unknown, schema: JsonObject): string | undefined {
  try {
    const counting = Math.floor(longestText(value) / charactersPerVisit);
    const purse = { left: budget, patterns: patternLimits.checks, counting };
    const metered = meter(schema, purse) as Schema;
    const { valid, errors } = new Validator(metered, '2020-12').validate(value);
    // The last error is the innermost: the others only say that something inside them is wrong.
    const error = errors.at(-1);
    if (valid || !error) return undefined;
    const place = error.instanceLocation.replace(/^#\/?/, '');
    return `${place === '' ? '' : `${place}: `}${error.error.replace(/\.$/, '').slice(0, 500)}`;
  } catch (error) {
    // Excessive recursion counts as an exhausted budget. Any other error is a dangling reference:
    // what cannot be checked is accepted.
    return error instanceof SchemaTooCostly || error instanceof RangeError
      ? 'they cannot be checked against the tool’s schema in a reasonable time'
      : undefined;
  }
}

class SchemaTooCostly extends Error {}

/** The remaining budget, and the cost of counting the characters of a text. */
type Purse = { left: number; patterns: number; readonly counting: number };

const unchecked = new Set(['format', 'uniqueItems', 'pattern', 'patternProperties']);
/** What these reject depends on the patterns next to them. */
const besidePatterns = new Set(['additionalProperties', 'unevaluatedProperties']);
const nothing: ReadonlySet<string> = new Set();

/**
 * A copy in which every subschema charges the budget when it is visited: the validator reads `type`
 * once per visit.
 */
function meter(schema: unknown, purse: Purse): unknown {
  if (!isObject(schema)) return schema;
  const left = Object.hasOwn(schema, 'patternProperties') ? besidePatterns : nothing;
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !unchecked.has(keyword) && !left.has(keyword))
      .map(([keyword, value]) => [keyword, meterKeyword(keyword, value, purse)]),
  );
  if (isCheap(schema['pattern']))
    copy['allOf'] = [
      ...((copy['allOf'] as unknown[] | undefined) ?? []),
      { if: { maxLength: patternLimits.textLength }, then: meterPattern(schema['pattern'], purse) },
    ];
  const counted =
    Object.hasOwn(schema, 'minLength') || Object.hasOwn(schema, 'maxLength') ? purse.counting : 0;
  const listed = [schema['enum'], schema['required'], copy['properties']].map(sizeOf);
  const price = listed.reduce((sum, size) => sum + size, 1 + counted);
  Object.defineProperty(copy, 'type', {
    get() {
      purse.left -= price;
      if (purse.left < 0) throw new SchemaTooCostly();
      return schema['type'];
    },
  });
  return copy;
}

/**
 * A schema that requires the pattern until enough were checked: the validator reads it once per
 * text.
 */
function meterPattern(pattern: unknown, purse: Purse): object {
  return Object.defineProperty({}, 'pattern', {
    get: () => (purse.patterns-- > 0 ? pattern : undefined),
  });
}

function meterKeyword(keyword: string, value: unknown, purse: Purse): unknown {
  if (Object.hasOwn(schemaArrayKeyword, keyword) && Array.isArray(value))
    return value.map((entry) => meter(entry, purse));
  if (Object.hasOwn(schemaMapKeyword, keyword) && isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, entry]) => [name, meter(entry, purse)]),
    );
  return Object.hasOwn(schemaKeyword, keyword) ? meter(value, purse) : value;
}

/**
 * Few ways to match: nested repetitions are refused on saving, so the cost only grows with each
 * choice.
 */
function isCheap(pattern: unknown): boolean {
  if (typeof pattern !== 'string') return false;
  const plain = pattern.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]?|\(\?[:=!]/gs, 'x');
  return (plain.match(/[*+?|]|\{\d*,\d*\}/g) ?? []).length <= patternLimits.choices;
}

function longestText(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((most, one) => Math.max(most, longestText(one)), 0);
}

function sizeOf(value: unknown): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}
