import type { TSchema } from '@sinclair/typebox';
import { uuidPattern } from '../ids.js';
import { ownProperty } from '../own-property.js';
import { ProblemBody } from '../schemas/problem.js';
import { RealtimeErrorBody } from '../schemas/realtime-session.js';
import { answerEvents } from './answer-stream.js';
import { organizationHints } from './event-stream.js';
import { httpUrlPattern } from '../validation.js';
import { namedSchemas } from './named-schemas.js';

/** Name in the document's components → schema. */
export const components: Record<string, TSchema> = {
  Problem: ProblemBody,
  RealtimeError: RealtimeErrorBody,
  ...namedSchemas,
  ...answerEvents,
  ...organizationHints,
};

const nameOf = new Map<unknown, string>(
  Object.entries(components).map(([name, schema]) => [schema, name]),
);

export function reference(schema: TSchema): object {
  const name = nameOf.get(schema);
  return name ? refTo(name) : inline(schema);
}

/**
 * A plain copy of a schema in which named schemas are references, limited to keywords that every
 * tool knows.
 */
export function inline(schema: unknown): object {
  return JSON.parse(
    JSON.stringify(schema, (_key, value: unknown) => {
      const name = value === schema ? undefined : nameOf.get(value);
      return name ? refTo(name) : inKnownWords(value);
    }),
  ) as object;
}

function refTo(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** The keywords that are rewritten. */
type Keywords = {
  readonly format?: string;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly description?: string;
  readonly minProperties?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Keywords>>;
  readonly const?: string;
  readonly discriminator?: { readonly propertyName: string };
  readonly oneOf?: readonly Keywords[];
};

function inKnownWords(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as Keywords;
  if (schema.format === 'http-url') return { ...schema, format: 'uri', pattern: httpUrlPattern };
  if (schema.pattern === uuidPattern) return { ...schema, format: 'uuid' };
  if (schema.properties) return { ...schema, properties: withoutDefaults(schema) };
  if (schema.discriminator) return { ...schema, discriminator: withMapping(schema) };
  return value;
}

/**
 * Code generators treat a property with a default as always present, and require it in requests. So
 * the default is moved to the description; changes and responses have none.
 */
function withoutDefaults({ properties = {}, required = [], minProperties }: Keywords): object {
  const isChange = minProperties !== undefined;
  const told = (name: string, schema: Keywords): Keywords => {
    const { default: value, ...rest } = schema;
    if (value === undefined) return schema;
    if (isChange || required.includes(name)) return rest;
    const words = [rest.description, `Default: \`${JSON.stringify(value)}\`.`];
    return { ...rest, description: words.filter(Boolean).join(' ') };
  };
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, told(name, schema)]),
  );
}

/** Our validator reads the alternatives; other tools need the mapping from value to alternative. */
function withMapping({ discriminator, oneOf = [] }: Keywords): object {
  const { propertyName = '' } = discriminator ?? {};
  const words = oneOf.map((each) => [
    ownProperty(each.properties, propertyName)?.const,
    refTo(nameOf.get(each) ?? '').$ref,
  ]);
  return { propertyName, mapping: Object.fromEntries(words) as object };
}
