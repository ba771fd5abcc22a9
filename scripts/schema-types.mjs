// Converts JSON schemas to TypeScript, as far as the contract uses them.

/** Fields of types that the service only takes, and never returns, may be undefined. */
export function typeOf(schema, onlyTaken = false) {
  if (schema.$ref) return nameIn(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum);
  const oneOf = (schemas) => schemas.map((each) => typeOf(each, onlyTaken)).join(' | ');
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) return oneOf(alternatives);
  if (Array.isArray(schema.type)) return oneOf(schema.type.map((type) => ({ ...schema, type })));
  switch (schema.type) {
    case undefined:
      return 'unknown';
    case 'integer':
      return 'number';
    case 'array':
      return `readonly (${typeOf(schema.items ?? {}, onlyTaken)})[]`;
    case 'object':
      return objectType(schema, onlyTaken);
    default:
      return schema.type;
  }
}

function objectType(schema, onlyTaken) {
  const { properties, required = [], patternProperties, additionalProperties } = schema;
  const fields = Object.entries(properties ?? {}).map(([name, field]) => {
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    const isThere = required.includes(name);
    const orUndefined = !isThere && onlyTaken ? ' | undefined' : '';
    return `${doc(field)}${key}${isThere ? '' : '?'}: ${typeOf(field, onlyTaken)}${orUndefined};`;
  });
  if (fields.length > 0) return `{${fields.join('\n')}}`;
  const [values = additionalProperties] = Object.values(patternProperties ?? {});
  if (typeof values === 'object' && Object.keys(values).length > 0)
    return `Record<string, ${typeOf(values, onlyTaken)}>`;
  return onlyTaken ? 'object' : 'Record<string, unknown>';
}

export function doc({ description }) {
  if (!description) return '';
  const lines = description.replaceAll('*/', '* /').split('\n').flatMap(wrapped);
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

/** Short enough to stay within 100 characters after indentation. */
function wrapped(line) {
  return line.match(/\S.{0,87}(?=\s|$)|\S+/g) ?? [''];
}

export function union(values) {
  return values.map((value) => JSON.stringify(value)).join(' | ');
}

export function nameIn(ref) {
  return ref.split('/').at(-1);
}
