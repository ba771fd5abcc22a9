import { Type, type TObject } from '@sinclair/typebox';
import {
  hasBadCharacter,
  ownProperty,
  pageLimits,
  Problem,
  validatorOf,
  withDefaults,
  type FieldError,
} from '@parley/protocol';

/**
 * Parses the query against its schema: each parameter once, integers in plain decimal, nothing
 * unknown.
 */
export function queryReader(schema: TObject = nothing) {
  const validate = validatorOf(schema);
  return (url: string): unknown => {
    const start = url.indexOf('?');
    const sent = new URLSearchParams(start < 0 ? '' : url.slice(start));
    const read = new Map<string, unknown>();
    const errors: FieldError[] = [];
    for (const [name, text] of sent) {
      if (read.has(name)) errors.push({ path: name, message: 'must be given once' });
      else if (hasBadCharacter(text))
        errors.push({ path: name, message: 'has a character that is not allowed' });
      else read.set(name, typed(text, ownProperty(schema.properties, name)?.['type']));
    }
    // Every name becomes an own property, including __proto__.
    const values = Object.fromEntries(read);
    const result = validate(values);
    if (!result.ok) errors.push(...result.errors.map(withoutSlash));
    if (errors.length > 0)
      throw new Problem('query-invalid', 'The query has an invalid parameter.', {
        errors,
      });
    return withDefaults(schema, values);
  };
}

const nothing = Type.Object({}, { additionalProperties: false });

/** The page of a list that a query asks for. */
export function pageOf(query: { Offset?: number; Limit?: number }) {
  const { Offset: offset = 0, Limit: limit = pageLimits.defaultLimit } = query;
  return { offset, limit };
}

function typed(text: string, type: unknown): unknown {
  if (type === 'integer') return /^(0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : text;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

function withoutSlash({ path, message }: FieldError): FieldError {
  return { path: path.replace(/^\//, ''), message };
}
