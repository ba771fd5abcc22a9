import { isObject } from './json-object.js';
import { nestsWithin } from './nesting.js';
import { ownProperty } from './own-property.js';

/**
 * A tool's `parameters` is a JSON schema written by a caller. It is sent to the model, and
 * arguments are validated against it, so it must be small, shallow and free of anything that makes
 * a validator slow or access the outside. This is a structural check: nothing is compiled.
 */
export const schemaBounds = { bytes: 32_768, depth: 16, patternLength: 256 } as const;

const types = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
/** How a keyword contains further schemas: one, a list, or a map from names to schemas. */
const nested: Record<string, 'one' | 'list' | 'map' | 'one-or-list'> = {
  items: 'one-or-list',
  additionalItems: 'one',
  prefixItems: 'list',
  contains: 'one',
  additionalProperties: 'one',
  unevaluatedProperties: 'one',
  unevaluatedItems: 'one',
  propertyNames: 'one',
  not: 'one',
  if: 'one',
  then: 'one',
  else: 'one',
  anyOf: 'list',
  oneOf: 'list',
  allOf: 'list',
  properties: 'map',
  patternProperties: 'map',
  dependentSchemas: 'map',
  $defs: 'map',
  definitions: 'map',
};

type SchemaProblem = { path: string; message: string };
type Place = { path: string; depth: number };

/** The first problem of a tool's parameter schema; undefined if it is valid. */
export function checkParameterSchema(schema: unknown): SchemaProblem | undefined {
  if (!isObject(schema)) return { path: '', message: 'must be an object' };
  // Between a schema and the next there are the properties object and each property.
  if (!nestsWithin(3 * schemaBounds.depth, schema))
    return { path: '', message: `must not nest deeper than ${schemaBounds.depth}` };
  if (Buffer.byteLength(JSON.stringify(schema)) > schemaBounds.bytes)
    return { path: '', message: `must not exceed ${schemaBounds.bytes} bytes` };
  if (schema['type'] !== undefined && schema['type'] !== 'object')
    return { path: '/type', message: 'must be "object": a tool takes named arguments' };
  return checkSchema(schema, { path: '', depth: 1 });
}

function checkSchema(schema: unknown, place: Place): SchemaProblem | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (!isObject(schema)) return { path: place.path, message: 'must be a JSON schema' };
  if (place.depth > schemaBounds.depth)
    return { path: place.path, message: `must not nest deeper than ${schemaBounds.depth}` };
  return checkKeywords(schema, place.path) ?? checkNested(schema, place);
}

function checkKeywords(schema: Record<string, unknown>, path: string): SchemaProblem | undefined {
  const { type, required, pattern, $ref: ref } = schema;
  const typeList = Array.isArray(type) ? (type as unknown[]) : type === undefined ? [] : [type];
  if (!typeList.every((name) => typeof name === 'string' && types.has(name)))
    return { path: `${path}/type`, message: `must be one of ${[...types].join(', ')}` };
  if (required !== undefined && !isStringList(required))
    return { path: `${path}/required`, message: 'must be a list of property names' };
  if (schema['enum'] !== undefined && !Array.isArray(schema['enum']))
    return { path: `${path}/enum`, message: 'must be a list' };
  if (ref !== undefined && !(typeof ref === 'string' && ref.startsWith('#')))
    return { path: `${path}/$ref`, message: 'must point inside the schema (start with #)' };
  for (const forbidden of ['$id', '$dynamicRef', '$recursiveRef', '$data', 'dependencies'])
    if (Object.hasOwn(schema, forbidden))
      return { path: `${path}/${forbidden}`, message: 'is not supported' };
  if (isObject(schema['patternProperties']))
    for (const name of Object.keys(schema['patternProperties'])) {
      const problem = checkPattern(name, `${path}/patternProperties/${name}`);
      if (problem) return problem;
    }
  return pattern === undefined ? undefined : checkPattern(pattern, `${path}/pattern`);
}

function checkPattern(pattern: unknown, path: string): SchemaProblem | undefined {
  if (typeof pattern !== 'string' || pattern.length > schemaBounds.patternLength)
    return {
      path,
      message: `must be a string of at most ${schemaBounds.patternLength} characters`,
    };
  if (repeatsRepetition(pattern))
    return { path, message: 'must not repeat a group that repeats, branches or has an option' };
  try {
    new RegExp(pattern, 'u');
    return undefined;
  } catch {
    return { path, message: 'must be a valid regular expression' };
  }
}

/**
 * A repeated group that contains a repetition, alternatives or something optional, at any depth,
 * can take exponential time: ^(a|a)*$, ((a+))+, (aa?){100}.
 */
function repeatsRepetition(pattern: string): boolean {
  // Replaces each escape and each class with one character: they contain no groups.
  const plain = pattern.replaceAll(/\\(?:[pPu]\{[^}]*\}?|.)|\[(?:\\.|[^\]\\])*\]?/gs, 'x');
  // One entry per open group: whether something in it has more than one way to match.
  const open: boolean[] = [];
  for (let at = 0; at < plain.length; at += 1) {
    const mark = plain.charAt(at);
    if (mark === '(') open.push(false);
    const optional = mark === '?' && plain.charAt(at - 1) !== '(';
    const risky = mark === ')' ? open.pop() === true : optional || '+*|{'.includes(mark);
    if (risky && mark === ')' && /^[+*{]/.test(plain.slice(at + 1))) return true;
    if (risky && open.length > 0) open[open.length - 1] = true;
  }
  return false;
}

function checkNested(schema: Record<string, unknown>, place: Place): SchemaProblem | undefined {
  for (const [keyword, form] of Object.entries(nested)) {
    const value = ownProperty(schema, keyword);
    if (value === undefined) continue;
    const path = `${place.path}/${keyword}`;
    const problem = checkForm(value, { form, path, depth: place.depth + 1 });
    if (problem) return problem;
  }
  return undefined;
}

function checkForm(value: unknown, at: Place & { form: string }): SchemaProblem | undefined {
  if (at.form === 'map') {
    if (!isObject(value)) return { path: at.path, message: 'must be an object' };
    return firstProblem(Object.entries(value), at);
  }
  if (at.form === 'list' || (at.form === 'one-or-list' && Array.isArray(value))) {
    if (!Array.isArray(value)) return { path: at.path, message: 'must be a list' };
    return firstProblem(Object.entries(value), at);
  }
  return checkSchema(value, at);
}

function firstProblem(entries: [string, unknown][], at: Place): SchemaProblem | undefined {
  for (const [name, schema] of entries) {
    const problem = checkSchema(schema, { path: `${at.path}/${name}`, depth: at.depth });
    if (problem) return problem;
  }
  return undefined;
}

function isStringList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}
