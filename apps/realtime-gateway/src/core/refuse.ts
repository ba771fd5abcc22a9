import type { RefusalCode } from '@parley/protocol';
import type { JsonObject } from './read-event.js';
import { stay, type SessionState, type Step } from './session.js';

/** As long as the provider lets an event's id be. */
const maxIdLength = 512;

/** The id that the client gave its event, if one can be told. */
export function eventIdOf(event: JsonObject | undefined): string | undefined {
  const id = event?.['event_id'];
  return typeof id === 'string' && id.length <= maxIdLength ? id : undefined;
}

/** Tells the client why its event has no effect, under the id that the client gave it. */
export function refuse(
  state: SessionState,
  refusal: { readonly code: RefusalCode; readonly message: string },
  event?: JsonObject,
): Step {
  const refusedId = eventIdOf(event);
  return stay(state, { kind: 'refuse', ...refusal, ...(refusedId !== undefined && { refusedId }) });
}
