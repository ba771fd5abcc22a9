import { Ajv, type ErrorObject } from 'ajv';
import { type Static, type TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import addFormats from 'ajv-formats';
import type { FieldError } from './errors.js';

/** Checks data against one of our own schemas. Schemas that callers send are never compiled here. */
export type Validator<S extends TSchema> = (
  data: unknown,
) => { ok: true; value: Static<S> } | { ok: false; errors: FieldError[] };

const maxErrors = 20;

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, discriminator: true });
addFormats.default(ajv, ['date-time']);
ajv.addFormat('http-url', isHttpUrl);

export function validatorOf<S extends TSchema>(schema: S): Validator<S> {
  const validate = ajv.compile<Static<S>>(schema);
  return (data) =>
    validate(data)
      ? { ok: true, value: data }
      : { ok: false, errors: (validate.errors ?? []).slice(0, maxErrors).map(fieldError) };
}

/** Fills in the defaults that the schema states. The argument is not changed. */
export function withDefaults<S extends TSchema>(schema: S, value: Static<S>): Static<S> {
  return Value.Default(schema, Value.Clone(value));
}

export function isHttpUrl(text: string): boolean {
  if (/\s/.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

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
  return { path: error.instancePath, message: error.message ?? 'is invalid' };
}
