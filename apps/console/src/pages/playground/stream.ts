import type { Approval, Message, ToolCall } from '@parley/client';

/** What was said and done, in this session and in those before that it goes on with. */
export type Said = {
  readonly messages: readonly Message[];
  readonly calls: readonly ToolCall[];
  readonly approvals: readonly Approval[];
};

export const nothingSaid: Said = { messages: [], calls: [], approvals: [] };

/** After which message each call was first seen; null when there was none yet. */
export type Places = ReadonlyMap<string, string | null>;

/** Calls keep the place where they happened, also when messages come or change before them. */
export function placed(places: Places, { messages, calls }: Said): Places {
  const fresh = calls.filter(({ callId }) => !places.has(callId));
  if (fresh.length === 0) return places;
  const last = messages.at(-1)?.id ?? null;
  return new Map([...places, ...fresh.map(({ callId }) => [callId, last] as const)]);
}

export type Moment =
  | { readonly kind: 'message'; readonly key: string; readonly message: Message }
  | { readonly kind: 'call'; readonly key: string; readonly call: ToolCall };

/** Messages in their order, each followed by the calls that belong there. Messages without words have none to show. */
export function inOrder(places: Places, { messages, calls }: Said): readonly Moment[] {
  const known = new Set(messages.map(({ id }) => id));
  const after = new Map<string | null, Moment[]>();
  for (const call of calls) {
    const place = places.get(call.callId) ?? null;
    const at = place !== null && known.has(place) ? place : null;
    const moments = after.get(at) ?? [];
    moments.push({ kind: 'call', key: `call ${call.callId}`, call });
    after.set(at, moments);
  }
  return [
    ...(after.get(null) ?? []),
    ...messages.flatMap((message): Moment[] => [
      ...(isShown(message) ? [{ kind: 'message' as const, key: message.id, message }] : []),
      ...(after.get(message.id) ?? []),
    ]),
  ];
}

/** Spoken words that are still to come have their place already. */
function isShown({ text, role, final }: Message): boolean {
  return text.trim() !== '' || (role === 'user' && !final);
}

/** The heard and the unheard part of what the agent said. A word that was not heard to its end was not heard. */
export function heardParts({ text, interrupted, heardLength }: Message): readonly [string, string] {
  if (!interrupted || heardLength >= text.length) return [text, ''];
  const start = text.lastIndexOf(' ', heardLength) + 1;
  return [text.slice(0, start), text.slice(start)];
}
