import type { Message, ToolCall } from '../session/conversation.js';

/** The message after which each call was first seen; null if there was none. */
export type Places = ReadonlyMap<string, string | null>;

type Said = { readonly messages: readonly Message[]; readonly calls: readonly ToolCall[] };

/** Calls keep their place, even if messages are added or changed before them. */
export function placed(places: Places, { messages, calls }: Said): Places {
  const fresh = calls.filter(({ callId }) => !places.has(callId));
  if (fresh.length === 0) return places;
  const last = messages.at(-1)?.id ?? null;
  return new Map([...places, ...fresh.map(({ callId }) => [callId, last] as const)]);
}

export type Moment =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'call'; readonly call: ToolCall };

/** Messages in order, each followed by its calls. */
export function inOrder(places: Places, { messages, calls }: Said): Moment[] {
  const known = new Set(messages.map(({ id }) => id));
  const placeOf = ({ callId }: ToolCall) => {
    const place = places.get(callId) ?? null;
    return place !== null && known.has(place) ? place : null;
  };
  const callsAfter = (place: string | null): Moment[] =>
    calls.filter((call) => placeOf(call) === place).map((call) => ({ kind: 'call', call }));
  return [
    ...callsAfter(null),
    ...messages.flatMap((message): Moment[] => [
      { kind: 'message', message },
      ...callsAfter(message.id),
    ]),
  ];
}
