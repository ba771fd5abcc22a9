import type { Message, ToolCall } from './conversation.js';

/** The id of the message after which each call was first seen; null if there was none. */
export type CallPlaces = ReadonlyMap<string, string | null>;

/** An entry of a conversation as it is shown; `key` is unique in it. */
export type TimelineEntry =
  | { readonly kind: 'message'; readonly key: string; readonly message: Message }
  | { readonly kind: 'call'; readonly key: string; readonly call: ToolCall };

type Said = { readonly messages: readonly Message[]; readonly calls: readonly ToolCall[] };

/**
 * Gives each new call its place after the last message. Call it with each change of a session:
 * calls keep their place, even if messages are added or changed before them.
 */
export function placeCalls(places: CallPlaces, { messages, calls }: Said): CallPlaces {
  const fresh = calls.filter(({ callId }) => !places.has(callId));
  if (fresh.length === 0) return places;
  const last = messages.at(-1)?.id ?? null;
  return new Map([...places, ...fresh.map(({ callId }) => [callId, last] as const)]);
}

/** Messages in order, each followed by its calls. */
export function timelineOf(places: CallPlaces, { messages, calls }: Said): TimelineEntry[] {
  const known = new Set(messages.map(({ id }) => id));
  const after = new Map<string | null, TimelineEntry[]>();
  for (const call of calls) {
    const place = places.get(call.callId) ?? null;
    const at = place !== null && known.has(place) ? place : null;
    const entries = after.get(at) ?? [];
    entries.push({ kind: 'call', key: `call ${call.callId}`, call });
    after.set(at, entries);
  }
  return [
    ...(after.get(null) ?? []),
    ...messages.flatMap((message): TimelineEntry[] => [
      { kind: 'message', key: message.id, message },
      ...(after.get(message.id) ?? []),
    ]),
  ];
}
