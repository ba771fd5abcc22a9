import type { Approval, Message, ToolCall } from '@parley/client';

/** The messages and calls of this session and of the ones that it continues. */
export type Said = {
  readonly messages: readonly Message[];
  readonly calls: readonly ToolCall[];
  readonly approvals: readonly Approval[];
};

export const nothingSaid: Said = { messages: [], calls: [], approvals: [] };

/** The message after which each call was first seen; null if there was none. */
export type Places = ReadonlyMap<string, string | null>;

/** Calls keep their place, even if messages are added or changed before them. */
export function placed(places: Places, { messages, calls }: Said): Places {
  const fresh = calls.filter(({ callId }) => !places.has(callId));
  if (fresh.length === 0) return places;
  const last = messages.at(-1)?.id ?? null;
  return new Map([...places, ...fresh.map(({ callId }) => [callId, last] as const)]);
}

export type Moment =
  | { readonly kind: 'message'; readonly key: string; readonly message: Message }
  | { readonly kind: 'call'; readonly key: string; readonly call: ToolCall };

/** Messages in order, each followed by its calls. Messages without text are left out. */
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

/** Speech gets its place before its text is known. */
function isShown({ text, role, final }: Message): boolean {
  return text.trim() !== '' || (role === 'user' && !final);
}

/**
 * The heard and the unheard part of an agent's message. A word that was not heard to its end counts
 * as unheard.
 */
export function heardParts({ text, interrupted, heardLength }: Message): readonly [string, string] {
  if (!interrupted || heardLength >= text.length) return [text, ''];
  const start = text.lastIndexOf(' ', heardLength) + 1;
  return [text.slice(0, start), text.slice(start)];
}
