import { isObject, type JsonObject } from '@parley/protocol';

/**
 * The arguments that a tool's schema names, at every depth. Others are dropped, because the author
 * of the schema did not expect them, unless it sets `additionalProperties` to true or a schema. A
 * nested object schema without any properties accepts everything.
 */
export function namedArguments(values: JsonObject, parameters: JsonObject | undefined): JsonObject {
  if (!parameters) return {};
  return pruneObject(values, partsOf([parameters], parameters), parameters);
}

/** The same for an MCP server's schema: one without properties accepts everything. */
export function namedForServer(values: JsonObject, schema: JsonObject): JsonObject {
  return prune(values, [schema], schema) as JsonObject;
}

function prune(value: unknown, schemas: readonly unknown[], root: JsonObject): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const parts = partsOf(schemas, root);
  if (Array.isArray(value)) {
    const items = parts.flatMap(itemsOf);
    return value.map((one) => prune(one, items, root));
  }
  const namesNothing = parts.every((part) => !isObject(part['properties']));
  return namesNothing ? value : pruneObject(value as JsonObject, parts, root);
}

function pruneObject(
  value: JsonObject,
  parts: readonly JsonObject[],
  root: JsonObject,
): JsonObject {
  const others = parts
    .flatMap((part) => [part['additionalProperties'], part['unevaluatedProperties']])
    .filter((rule) => rule === true || isObject(rule));
  const kept = Object.entries(value).flatMap(([name, one]): [string, unknown][] => {
    const named = parts.flatMap(({ properties }) =>
      isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [],
    );
    const schemas = named.length > 0 ? named : others;
    return schemas.length > 0 ? [[name, prune(one, schemas, root)]] : [];
  });
  return Object.fromEntries(kept);
}

/** A schema and the ones that apply to the same value, each once. */
function partsOf(schemas: readonly unknown[], root: JsonObject): JsonObject[] {
  const parts = new Set<JsonObject>();
  const waiting = [...schemas];
  while (waiting.length > 0) {
    const schema = waiting.pop();
    if (!isObject(schema) || parts.has(schema)) continue;
    parts.add(schema);
    for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const)
      waiting.push(...listOf(schema[keyword]));
    const { dependentSchemas, $ref } = schema;
    waiting.push(schema['then'], schema['else']);
    if (isObject(dependentSchemas)) waiting.push(...Object.values(dependentSchemas));
    if (typeof $ref === 'string') waiting.push(target($ref, root));
  }
  return [...parts];
}

function itemsOf({ items, prefixItems, additionalItems }: JsonObject): unknown[] {
  return [
    ...(Array.isArray(items) ? (items as unknown[]) : [items]),
    ...listOf(prefixItems),
    additionalItems,
  ];
}

/** The target of a reference inside the schema. */
function target(reference: string, root: JsonObject): unknown {
  return reference
    .replace(/^#\/?/, '')
    .split('/')
    .filter((step) => step !== '')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (at, step) => (isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined),
      root,
    );
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}
