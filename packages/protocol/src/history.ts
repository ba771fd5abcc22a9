/** What was said or done in a conversation before. */
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

/**
 * The newest part of the past that fits the budget, oldest first. It stops at the first item that
 * does not fit, so that there are no gaps.
 */
export function withinBudget(past: readonly PastItem[], budget: HistoryBudget): PastItem[] {
  let { messages, characters } = budget;
  const start = past.findLastIndex((item) => {
    messages -= 1;
    characters -= charactersOf(item);
    return messages < 0 || characters < 0;
  });
  return past.slice(start + 1);
}

function charactersOf(item: PastItem): number {
  if (item.kind === 'message') return item.content.length;
  return item.name.length + item.arguments.length + item.output.length;
}
