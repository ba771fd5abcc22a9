import type { OrganizationEvent } from './contract.js';
import { ParleyConnectionError } from './errors.js';
import { EventParser } from './server-sent-events.js';

/** An event of your organization; `id` is its position in the stream, for `lastEventId`. */
export type ListenedEvent = OrganizationEvent & { readonly id: string };

/** A position in the stream, with the event at it, if any. */
export type ListenedPlace = {
  readonly id: string;
  readonly event: ListenedEvent | undefined;
};

/** Parses the positions of one connection, which continues until it breaks. */
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
    throw new ParleyConnectionError('unreadable', 'An event of the stream is not valid JSON.', {
      cause,
    });
  }
}
