import type { RefusalCode } from '@parley/protocol';
import type { JsonObject } from './read-event.js';
import { stay, type SessionState, type Step } from './session.js';

/** As long as the provider lets an event's id be. */
const maxIdLength = 512;

/** Tells the client why its event has no effect, under the id that the client gave it. */
export function refuse(
  state: SessionState,
  refusal: { readonly code: RefusalCode; readonly message: string },
  event?: JsonObject,
): Step {
  const id = event?.['event_id'];
  const named = typeof id === 'string' && id.length <= maxIdLength && { refusedId: id };
  return stay(state, { kind: 'refuse', ...refusal, ...named });
}
