import type { PastItem } from '@parley/protocol';
import { ownId, type CodeFor } from './own-ids.js';

/**
 * The history as events for the provider. The items' ids distinguish their echoes from what is said
 * in this session.
 */
export function replay(past: readonly PastItem[], codeFor: CodeFor): string[] {
  return past.flatMap(itemsFor).map((item, n) => {
    const id = ownId(codeFor, 'history', n + 1);
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
