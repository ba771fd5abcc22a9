import type { JsonObject } from './read-event.js';
import { looksOwn } from './own-ids.js';

/** What only the service, or the model, may say in a conversation. */
const servicesRoles = ['system', 'developer'];
const modelsCalls = /^(function_call$|mcp_)/;

/** Why an event of the client would speak for somebody else; undefined where it does not. */
export function objectionTo(event: JsonObject, item: JsonObject): string | undefined {
  if (looksOwn(event['event_id']) || looksOwn(item['id']))
    return 'Ids that start with gw_ are the service’s own.';
  if (servicesRoles.includes(folded(item['role'])))
    return 'Only the service speaks as system or developer.';
  return modelsCalls.test(folded(item['type'])) ? 'Only the model makes calls.' : undefined;
}

export function isOutput(item: JsonObject): boolean {
  return folded(item['type']) === 'function_call_output';
}

/** Some readers ignore case, spaces, or the width of letters. */
function folded(word: unknown): string {
  return typeof word === 'string' ? word.normalize('NFKC').trim().toLowerCase() : '';
}
