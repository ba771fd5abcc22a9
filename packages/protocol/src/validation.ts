import { Ajv, str, type ErrorObject, type ValidateFunction } from 'ajv';
import type { Static, TObject, TSchema } from '@sinclair/typebox';
import addFormats from 'ajv-formats';
import { errorLimits, type FieldError } from './errors.js';
import { nestsWithin } from './nesting.js';
import { ownProperty } from './own-property.js';

/**
 * Validates data against one of our own schemas. Schemas that callers send are never compiled here.
 */
export type Validator<S extends TSchema> = (
  data: unknown,
) => { ok: true; value: Static<S> } | { ok: false; errors: FieldError[] };

/** Stops at the first error, so that a body of a million wrong values costs no more than one. */
const first = compiler({ allErrors: false });
/** Continues to the end, and reports every error. */
const every = compiler({ allErrors: true });
/** For data with more values than this, only the first error is reported. */
const maxValues = 1000;

function compiler({ allErrors }: { allErrors: boolean }): Ajv {
  const ajv = new Ajv({ allErrors, allowUnionTypes: true, discriminator: true });
  const dateTime = addFormats.default.get('date-time') as { validate: (text: string) => boolean };
  // The format alone allows leap seconds and years that neither Date nor an ISO text can represent.
  ajv.addFormat('date-time', (text) => dateTime.validate(text) && isInstant(text));
  ajv.addKeyword({
    keyword: 'x-maxBytes',
    schemaType: 'number',
    error: {
      message: ({ schemaCode }) => str`must not be longer than ${schemaCode} bytes as JSON`,
    },
    validate: (most: number, data: unknown) => Buffer.byteLength(JSON.stringify(data)) <= most,
  });
  ajv.addKeyword({
    keyword: 'x-maxDepth',
    schemaType: 'number',
    error: { message: ({ schemaCode }) => str`must not nest deeper than ${schemaCode} levels` },
    validate: (most: number, data: unknown) => nestsWithin(most, data),
  });
  ajv.addFormat('http-url', isHttpUrl);
  return ajv;
}

export function validatorOf<S extends TSchema>(schema: S): Validator<S> {
  // Each schema is compiled on first use: compiling all of them would add a third of a second to
  // every start.
  let validate: ValidateFunction<Static<S>> | undefined;
  let explain: ValidateFunction | undefined;
  return (data) => {
    validate ??= first.compile<Static<S>>(schema);
    if (validate(data)) return { ok: true, value: data };
    let { errors } = validate;
    if (hasFewValues(data)) {
      explain ??= every.compile(schema);
      explain(data);
      errors = explain.errors ?? errors;
    }
    return { ok: false, errors: (errors ?? []).slice(0, errorLimits.count).map(fieldError) };
  };
}

function hasFewValues(data: unknown): boolean {
  const open = [data];
  for (let seen = 1; open.length > 0; seen += 1) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (seen + open.length + inner.length > maxValues) return false;
    open.push(...inner);
  }
  return true;
}

/** Fills in the defaults of the schema's own fields. Does not change its argument. */
export function withDefaults<S extends TObject>(schema: S, value: Static<S>): Static<S> {
  const whole: Record<string, unknown> = { ...value };
  for (const [name, { default: initial }] of Object.entries(schema.properties))
    if (initial !== undefined && ownProperty(value, name) === undefined)
      whole[name] = typeof initial === 'object' ? structuredClone<unknown>(initial) : initial;
  return whole;
}

export function isHttpUrl(text: string): boolean {
  return writtenOut.test(text) && URL.canParse(text);
}

/**
 * The host follows two slashes, without credentials: `http:host`, which a browser would fix, is not
 * a URL.
 */
export const httpUrlPattern = '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#@\\\\]+(?:[/?#]\\S*)?$';
const writtenOut = new RegExp(httpUrlPattern);

function isInstant(text: string): boolean {
  const time = Date.parse(text);
  return time >= firstInstant && time <= lastInstant;
}

const firstInstant = Date.parse('0001-01-01T00:00:00Z');
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z');

function fieldError(error: ErrorObject): FieldError {
  const { additionalProperty, allowedValues, tag } = error.params as Record<string, unknown>;
  if (typeof additionalProperty === 'string')
    return { path: `${error.instancePath}/${additionalProperty}`, message: 'is not a known field' };
  if (error.keyword === 'discriminator')
    return { path: `${error.instancePath}/${String(tag)}`, message: 'is missing or unknown' };
  if (Array.isArray(allowedValues))
    return { path: error.instancePath, message: `must be one of ${allowedValues.join(', ')}` };
  if (error.keyword === 'pattern' && error.params['pattern'] === '\\S')
    return { path: error.instancePath, message: 'must not be blank' };
  if (error.keyword === 'format' && error.params['format'] === 'http-url')
    return {
      path: error.instancePath,
      message: 'must be an http or https URL without credentials',
    };
  if (error.keyword === 'format' && error.params['format'] === 'date-time')
    return {
      path: error.instancePath,
      message: 'must be a date and time with its offset, such as 2030-01-31T16:00:00Z',
    };
  return { path: error.instancePath, message: error.message ?? 'is invalid' };
}
