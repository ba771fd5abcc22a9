// The provider's own schemas as a validator, closed: a field that they do not describe is an error. Live
// traffic deviates from them in a few measured places; those, and only those, are allowed below.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** Live traffic has null here where the schema wants a string, an object or an array. */
const nulls = [
  'response.status_details',
  'response.usage',
  // Said in its description, not in its type: a response outside of the conversation has none.
  'response.conversation_id',
  'session.include',
  'session.audio.input.transcription',
  'session.audio.input.noise_reduction',
  'session.audio.input.transcription.language',
  'session.audio.input.transcription.prompt',
  'item.content.*.transcript',
  'error.param',
];

/** Live traffic has these fields although the schema does not know them. */
const extras = [
  // Padding that hides the length of a delta.
  'obfuscation',
  // Azure's second copy of `part`.
  'content',
];

type Json = Record<string, unknown>;

export type Check = (event: Json) => string[];

type Document = { components: { schemas: Record<string, Json> } };

const readDocument = (folder: string): Document =>
  JSON.parse(readFileSync(join(folder, 'realtime-ga-schemas.json'), 'utf8')) as Document;

/** The names of what a client may send. */
export function propertiesOf(folder: string) {
  const { schemas } = readDocument(folder).components;
  const names = (schema: Json | undefined): string[] => Object.keys(schema?.['properties'] ?? {});
  const events = Object.entries(schemas).filter(([name]) => /^RealtimeClientEvent./.test(name));
  return {
    clientEvents: Object.fromEntries(
      events.map(([, schema]) => [typeOf(schema) ?? '', names(schema)]),
    ),
    session: names(schemas['RealtimeSessionCreateRequestGA']),
    response: names(schemas['RealtimeResponseCreateParams']),
  };
}

const typeOf = (schema: Json): string | undefined =>
  (schema['properties'] as { type?: { enum?: string[] } } | undefined)?.type?.enum?.[0];

export function loadProviderSchemas(folder: string): Check {
  const document = readDocument(folder);
  const { schemas } = document.components;
  const byType = new Map<string, string>();
  for (const [name, schema] of Object.entries(schemas)) {
    const type = typeOf(schema);
    if (name.startsWith('RealtimeServerEvent') && type !== undefined) byType.set(type, name);
  }
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(closed(document) as Json, 'provider');
  return (event) => {
    const name = byType.get(String(event['type']));
    if (name === undefined) return [`no schema for ${String(event['type'])}`];
    const validate = ajv.getSchema(`provider#/components/schemas/${name}`);
    if (!validate) return [`no schema ${name}`];
    if (validate(withoutDeviations(event))) return [];
    return (validate.errors ?? []).map(
      (e) => `${e.instancePath} ${e.message ?? ''} ${JSON.stringify(e.params)}`,
    );
  };
}

/** Every object with known properties refuses others, unless it is a part of a larger one. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const out = Object.fromEntries(Object.entries(value).map(([k, v]) => [k, closed(v)]));
  const plain = 'properties' in out && out['type'] === 'object';
  if (plain && !('additionalProperties' in out) && !('allOf' in out))
    return { ...out, additionalProperties: false };
  return out;
}

function withoutDeviations(event: Json): Json {
  const copy = structuredClone(event);
  for (const extra of extras) Reflect.deleteProperty(copy, extra);
  for (const path of nulls) dropNull(copy, path.split('.'));
  return copy;
}

function dropNull(value: unknown, [head, ...rest]: string[]): void {
  if (typeof value !== 'object' || value === null || head === undefined) return;
  if (head === '*') {
    for (const entry of Object.values(value)) dropNull(entry, rest);
    return;
  }
  const holder = value as Json;
  if (rest.length > 0) dropNull(holder[head], rest);
  else if (holder[head] === null) Reflect.deleteProperty(holder, head);
}
