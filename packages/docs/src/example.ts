import {
  nameOfReference,
  type ContractView,
  type MediaType,
  type Schema,
} from './contract-view.js';

type Schemas = ContractView['schemas'];

/** The contract's example of a body, otherwise one generated from its schema. */
export function exampleOfBody({ example, examples, schema }: MediaType, schemas: Schemas): unknown {
  const [named] = Object.values(examples ?? {});
  return example ?? named?.value ?? exampleOf(schema ?? {}, schemas);
}

/** The smallest value that satisfies a schema: an object has only its required fields. */
export function exampleOf(schema: Schema, schemas: Schemas): unknown {
  if (schema.$ref !== undefined) {
    const name = nameOfReference(schema.$ref);
    return exampleOf(Object.hasOwn(schemas, name) ? (schemas[name] ?? {}) : {}, schemas);
  }
  const given = schema.example ?? schema.examples?.[0] ?? schema.const ?? schema.default;
  if (given !== undefined) return given;
  if (schema.enum) return schema.enum[0];
  const choice = (schema.oneOf ?? schema.anyOf)?.[0];
  if (choice) return exampleOf(choice, schemas);
  return exampleOfType(schema, schemas);
}

function exampleOfType(schema: Schema, schemas: Schemas): unknown {
  const [type = 'object'] = [schema.type ?? []].flat();
  switch (type) {
    case 'array':
      return (schema.minItems ?? 0) > 0 ? [exampleOf(schema.items ?? {}, schemas)] : [];
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'null':
      return null;
    case 'string':
      return exampleText(schema);
    default:
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => schema.required?.includes(name))
          .map(([name, field]) => [name, exampleOf(field, schemas)]),
      );
  }
}

function exampleText({ format, pattern = '' }: Schema): string {
  if (format === 'date-time') return '2030-01-31T09:00:00Z';
  if (format === 'http-url') return 'https://example.com/';
  if (format === 'uuid' || pattern.includes('{8}-')) return '00000000-0000-4000-8000-000000000000';
  return 'example';
}
