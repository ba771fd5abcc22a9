import { injectedPrefix } from './injected.js';

/** What was said or done in a conversation before this session. */
export type PastItem =
  | { readonly kind: 'message'; readonly role: 'user' | 'assistant'; readonly content: string }
  | {
      readonly kind: 'call';
      readonly callId: string;
      readonly name: string;
      readonly arguments: string;
      readonly output: string;
    };

export type HistoryBudget = { readonly messages: number; readonly characters: number };

/** The newest part of the past that fits the budget, oldest first. One that does not fit ends it: nothing is left out between. */
export function withinBudget(past: readonly PastItem[], budget: HistoryBudget): PastItem[] {
  let { messages, characters } = budget;
  const start = past.findLastIndex((item) => {
    messages -= 1;
    characters -= charactersOf(item);
    return messages < 0 || characters < 0;
  });
  return past.slice(start + 1);
}

/** The past as events for the provider. The items' ids tell their echoes from what is said in this session. */
export function replay(past: readonly PastItem[]): string[] {
  return past.flatMap(itemsFor).map((item, n) => {
    const id = `${injectedPrefix}history_${n + 1}`;
    return JSON.stringify({
      type: 'conversation.item.create',
      event_id: id,
      item: { id, ...item },
    });
  });
}

function itemsFor(past: PastItem): object[] {
  if (past.kind === 'call') {
    const { callId: call_id, name, arguments: input, output } = past;
    return [
      { type: 'function_call', call_id, name, arguments: input },
      { type: 'function_call_output', call_id, output },
    ];
  }
  const { role, content: text } = past;
  const content = [{ type: role === 'user' ? 'input_text' : 'output_text', text }];
  return [{ type: 'message', role, content }];
}

function charactersOf(item: PastItem): number {
  if (item.kind === 'message') return item.content.length;
  return item.name.length + item.arguments.length + item.output.length;
}
