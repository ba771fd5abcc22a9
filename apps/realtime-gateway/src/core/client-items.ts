import type { JsonObject } from '@parley/protocol';
import { looksOwn } from './own-ids.js';

/** Only the service or the model may speak in these roles. */
const servicesRoles = ['system', 'developer'];
const modelsCalls = /^(function_call$|mcp_)/;

/** Why an event of the client would speak in another's name; undefined if it does not. */
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

/** Some parsers ignore case, spaces, or the width of letters. */
function folded(word: unknown): string {
  return typeof word === 'string' ? word.normalize('NFKC').trim().toLowerCase() : '';
}
