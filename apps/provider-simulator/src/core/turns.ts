import type { Turn } from './brain.js';
import type { MessageItem, StoredItem } from './items.js';

/** The conversation as the brain reads it: words, calls and outputs, whatever carried them. */
export const turnsOf = (items: readonly StoredItem[]): Turn[] => items.map(turnOf);

function turnOf({ item, heard }: StoredItem): Turn {
  switch (item.type) {
    case 'function_call':
      return { by: 'call', callId: item.call_id, name: item.name };
    case 'function_call_output':
      return { by: 'output', callId: item.call_id, text: item.output };
    case 'message':
      return {
        by: item.role,
        text: textOf(item, heard),
        spoken: heard !== undefined,
        isCutOff: item.status === 'incomplete',
      };
  }
}

function textOf(item: MessageItem, heard: string | undefined): string {
  const texts = item.content.map((part) => {
    if ('text' in part) return part.text;
    if (part.type === 'input_audio') return heard ?? part.transcript ?? '';
    return part.type === 'output_audio' ? (part.transcript ?? '') : '';
  });
  return texts.join(' ').trim();
}
