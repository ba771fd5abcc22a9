import { isObject, textOf, type Json } from './json.js';

/**
 * One argument of a tool. The rest of its schema, apart from type and description, is kept in
 * `rest`.
 */
export type ParameterRow = {
  readonly name: string;
  readonly type: ParameterType;
  readonly description: string;
  readonly required: boolean;
  readonly rest: Json;
};

/** `other`: something that only JSON can express, such as a union. */
export const parameterTypes = [
  'string',
  'integer',
  'number',
  'boolean',
  'array',
  'object',
  'other',
] as const;
export type ParameterType = (typeof parameterTypes)[number];

export const newParameter: ParameterRow = {
  name: '',
  type: 'string',
  description: '',
  required: true,
  rest: {},
};

/** The schema of the arguments; no schema if there are no rows and nothing else. */
export function parametersOf(rows: readonly ParameterRow[], rest: Json): Json {
  const named = rows.filter(({ name }) => name !== '');
  if (named.length === 0 && Object.keys(rest).length === 0) return {};
  const required = named.filter((row) => row.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(named.map((row) => [row.name, propertyOf(row)])),
    ...(required.length > 0 && { required }),
    ...rest,
  };
}

function propertyOf({ type, description, rest }: ParameterRow): Json {
  return {
    ...(type !== 'other' && { type }),
    ...(description !== '' && { description }),
    ...rest,
  };
}

/** Undefined if rows cannot show the schema. */
export function rowsOf(schema: Json): { rows: readonly ParameterRow[]; rest: Json } | undefined {
  const { type, properties = {}, required = [], ...rest } = schema;
  if (type !== 'object' || !isObject(properties) || !Array.isArray(required)) return undefined;
  const names = Object.keys(properties);
  const needed = new Set<unknown>(required);
  if (needed.size !== required.length || required.some((name) => !names.includes(String(name))))
    return undefined;
  const rows = Object.entries(properties).map(([name, property]) =>
    isObject(property) && name !== '' ? rowOf(name, property, needed.has(name)) : undefined,
  );
  return rows.every((row) => row !== undefined) ? { rows, rest } : undefined;
}

function rowOf(name: string, property: Json, required: boolean): ParameterRow {
  const rest = { ...property };
  const type = parameterTypes.find((known) => known !== 'other' && known === property.type);
  const description = textOf(property.description);
  if (type !== undefined) Reflect.deleteProperty(rest, 'type');
  if (description !== undefined) Reflect.deleteProperty(rest, 'description');
  return { name, type: type ?? 'other', description: description ?? '', required, rest };
}
