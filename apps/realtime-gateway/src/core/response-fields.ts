import { ownProperty, sameJson } from '@parley/protocol';
import { isObject, type JsonObject } from './read-event.js';
import type { SessionState } from './session.js';
import { sessionFields } from './session-update.js';

/** What makes the agent what it is: not for a client's response.create to replace. */
const agentFields = ['instructions', 'tools', 'tool_choice', 'prompt', 'input'] as const;

/** Those that a response.create replaces, in the response or beside it: some servers take them there, too. */
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
