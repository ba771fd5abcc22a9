import type { Message, ToolCall } from '../session/types.js';

/** After which message each call was first seen; null when there was none yet. */
export type Places = ReadonlyMap<string, string | null>;

type Said = { readonly messages: readonly Message[]; readonly calls: readonly ToolCall[] };

/** Calls keep the place where they happened, also when messages come or change before them. */
export function placed(places: Places, { messages, calls }: Said): Places {
  const fresh = calls.filter(({ callId }) => !places.has(callId));
  if (fresh.length === 0) return places;
  const last = messages.at(-1)?.id ?? null;
  return new Map([...places, ...fresh.map(({ callId }) => [callId, last] as const)]);
}

export type Moment =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'call'; readonly call: ToolCall };

/** Messages in their order, each followed by the calls that belong there. */
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
