import type { CallPlaces, Message, ToolCall } from '@parley/client';
import type { Message as StoredMessage } from '@parley/client/server';
import { nothingSaid, type Said } from './stream.js';

export type History = { readonly said: Said; readonly places: CallPlaces };
export const noHistory: History = { said: nothingSaid, places: new Map() };

/** The stored messages of a conversation, in the form of a session's. */
export function recalled(stored: readonly StoredMessage[]): History {
  const messages: Message[] = [];
  const calls: ToolCall[] = [];
  const places = new Map<string, string | null>();
  for (const { id, role, content: text, interrupted, toolCall } of stored)
    if (role !== 'tool')
      messages.push({
        id,
        role,
        text,
        final: true,
        interrupted,
        heardLength: text.length,
        replayed: false,
      });
    else if (toolCall) {
      calls.push(pastCall(toolCall));
      places.set(toolCall.callId, messages.at(-1)?.id ?? null);
    }
  return { said: { messages, calls, approvals: [] }, places };
}

function pastCall({
  callId,
  name,
  arguments: args,
  status,
  result,
}: NonNullable<StoredMessage['toolCall']>): ToolCall {
  return {
    callId,
    name,
    origin: 'service',
    title: null,
    imageUrl: null,
    arguments: args,
    state: status === 1 ? 'done' : 'failed',
    output: typeof result === 'string' || result === null ? result : JSON.stringify(result),
    link: null,
  };
}

/** Earlier messages followed by those of this session, without replayed ones. */
export function joined(past: Said, now: Said): Said {
  if (past === nothingSaid) return now;
  return {
    messages: [...past.messages, ...now.messages.filter(({ replayed }) => !replayed)],
    calls: [...past.calls, ...now.calls],
    approvals: [...past.approvals, ...now.approvals],
  };
}
