/** What was said or done in a conversation before. */
export type PastItem =
  | {
      readonly kind: 'message';
      /** Its id at the provider, if it keeps that. */
      readonly itemId?: string;
      /** Its place in the record. */
      readonly position?: number;
      readonly role: 'user' | 'assistant';
      readonly content: string;
    }
  | {
      readonly kind: 'call';
      /** The id of the call at the provider, and that of its output, if they keep those. */
      readonly itemId?: string;
      readonly outputId?: string;
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

/** How fast an agent speaks at most. Nothing that the user may have heard is cut off. */
const charactersPerSecond = 20;

/**
 * The part of an interrupted answer that the user can have heard, in whole words. The record knows
 * how long the user listened, but not when each word was said.
 */
export function heardPart(content: string, audioEndMs: number): string {
  const most = Math.floor((audioEndMs / 1000) * charactersPerSecond);
  if (content.length <= most) return content;
  const end = content.lastIndexOf(' ', most);
  return end > 0 ? `${content.slice(0, end)} …` : '';
}

function charactersOf(item: PastItem): number {
  if (item.kind === 'message') return item.content.length;
  return item.name.length + item.arguments.length + item.output.length;
}
