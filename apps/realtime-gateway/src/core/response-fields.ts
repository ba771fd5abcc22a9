import { isObject, ownProperty, sameJson, type JsonObject } from '@parley/protocol';
import type { SessionState } from './session.js';
import { sessionFields } from './session-update.js';

/** Fields that define the agent, which a client's response.create cannot replace. */
const agentFields = ['instructions', 'tools', 'tool_choice', 'prompt', 'input'] as const;

/**
 * The agent's fields that a response.create would replace, inside `response` or next to it, where
 * some servers accept them, too.
 */
export function agentFieldsIn(state: SessionState, event: JsonObject): readonly string[] {
  const { response } = event;
  const places = isObject(response) ? [event, response] : [event];
  const valuesOf = (field: string) =>
    places.map((place) => ownProperty(place, field)).filter((value) => value != null);
  const given = agentFields.filter((field) => valuesOf(field).length > 0);
  if (given.length === 0) return given;
  const current = sessionFields(state);
  return given.filter((field) =>
    valuesOf(field).some((value) => !sameJson(value, current.get(field))),
  );
}

export function withoutAgentFields(event: JsonObject, replaced: readonly string[]): JsonObject {
  const kept = without(event, replaced);
  const { response } = event;
  return isObject(response) ? { ...kept, response: without(response, replaced) } : kept;
}

function without(source: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(source).filter(([name]) => !fields.includes(name)));
}
