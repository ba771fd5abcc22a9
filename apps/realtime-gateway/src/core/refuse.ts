import type { JsonObject, RefusalCode } from '@parley/protocol';
import { stay, type SessionState, type Step } from './session.js';

/** The provider's maximum length of an event id. */
const maxIdLength = 512;

/** The client's id for its event, if it has a usable one. */
export function eventIdOf(event: JsonObject | undefined): string | undefined {
  const id = event?.['event_id'];
  return typeof id === 'string' && id.length <= maxIdLength ? id : undefined;
}

/** Tells the client why its event has no effect, with the client's id for the event. */
export function refuse(
  state: SessionState,
  refusal: { readonly code: RefusalCode; readonly message: string },
  event?: JsonObject,
): Step {
  const refusedId = eventIdOf(event);
  return stay(state, { kind: 'refuse', ...refusal, ...(refusedId !== undefined && { refusedId }) });
}
