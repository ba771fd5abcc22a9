import type { PastItem } from '@parley/protocol';
import type { TextMessage } from '@parley/providers';

export type Question = {
  readonly past: readonly PastItem[];
  /** The fenced text of attached files; empty without any. */
  readonly files: string;
  /** The question, with the caller's own history. */
  readonly asked: readonly TextMessage[];
};

/**
 * The model's input: the history, the user's files, and the question. The text of a file has no
 * more weight than its user's.
 */
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
