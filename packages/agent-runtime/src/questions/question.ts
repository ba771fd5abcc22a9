import type { PastItem } from '@parley/protocol';
import type { TextMessage } from '@parley/providers';

export type Question = {
  readonly past: readonly PastItem[];
  readonly question: string;
};

/** What the model is told: the past, and the question. */
export function questionMessages({ past, question }: Question): TextMessage[] {
  return [...past.flatMap(pastMessages), { role: 'user', content: question }];
}

function pastMessages(item: PastItem): TextMessage[] {
  if (item.kind === 'call') {
    const { callId, name, arguments: input, output } = item;
    const toolCalls = [{ callId, name, arguments: input }];
    return [
      { role: 'assistant', content: '', toolCalls },
      { role: 'tool', callId, content: output },
    ];
  }
  const { role, content } = item;
  return role === 'user' ? [{ role, content }] : [{ role, content, toolCalls: [] }];
}
