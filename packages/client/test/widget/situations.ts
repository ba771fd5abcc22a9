import type { Approval, Message, ToolCall } from '@parley/client';
import { atRest, type Situation } from '#src/widget/situation.js';

/** A situation that differs from rest in what is given. */
export function given(change: Partial<Situation>): Situation {
  return { ...atRest, ...change };
}

export function message(id: string, change: Partial<Message> = {}): Message {
  const text = change.text ?? id;
  const role = id.startsWith('user') ? 'user' : 'assistant';
  return {
    id,
    role,
    text,
    final: true,
    interrupted: false,
    heardLength: text.length,
    replayed: false,
    ...change,
  };
}

export function call(callId: string, change: Partial<ToolCall> = {}): ToolCall {
  return {
    callId,
    name: 'create_task',
    origin: 'service',
    title: null,
    imageUrl: null,
    arguments: {},
    state: 'running',
    output: null,
    link: null,
    ...change,
  };
}

export function approval(callId: string, change: Partial<Approval> = {}): Approval {
  return {
    callId,
    call: undefined,
    state: 'waiting',
    decidable: true,
    deadline: new Date(0),
    secondsLeft: 299,
    approve: () => undefined,
    reject: () => undefined,
    ...change,
  };
}
