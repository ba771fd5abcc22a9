import type { PastItem } from '@parley/protocol';
import type { TextMessage } from '@parley/providers';

export type Question = {
  readonly past: readonly PastItem[];
  /** The text of attached files, fenced; empty without any. */
  readonly files: string;
  /** What is asked, with what the caller itself tells of the past. */
  readonly asked: readonly TextMessage[];
};

/** What the model is told: the past, what the user attached, and the question. A file's words have no more weight than its user's. */
export function questionMessages({ past, files, asked }: Question): TextMessage[] {
  const attached: TextMessage[] = files === '' ? [] : [{ role: 'user', content: files }];
  return [...past.flatMap(pastMessages), ...attached, ...asked];
}

export function pastMessages(item: PastItem): TextMessage[] {
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
