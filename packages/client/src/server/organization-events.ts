import type { OrganizationEvent } from './contract.js';
import { ParleyConnectionError } from './errors.js';
import { EventParser } from './server-sent-events.js';

/** What happened in your organization; `id` is its place in the stream, for `lastEventId`. */
export type ListenedEvent = OrganizationEvent & { readonly id: string };

/** A place in the stream, with the event that stands there, if one does. */
export type ListenedPlace = {
  readonly id: string;
  readonly event: ListenedEvent | undefined;
};

/** The places in the text of one connection, which goes on until it breaks. */
export async function* listenedPlaces(
  pieces: AsyncIterable<string>,
): AsyncGenerator<ListenedPlace> {
  const parser = new EventParser();
  for await (const piece of pieces)
    for (const { id, data } of parser.pushBlocks(piece))
      if (id !== undefined) yield { id, event: data === undefined ? data : eventIn(id, data) };
  throw new ParleyConnectionError('lost', 'The stream of events ended.');
}

function eventIn(id: string, data: string): ListenedEvent {
  try {
    return { ...(JSON.parse(data) as OrganizationEvent), id };
  } catch (cause) {
    throw new ParleyConnectionError('unreadable', 'An event of the stream is no JSON.', { cause });
  }
}
