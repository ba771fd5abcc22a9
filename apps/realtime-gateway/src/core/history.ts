import type { PastItem } from '@parley/protocol';
import { ownId, type CodeFor } from './own-ids.js';

/** An item for the provider's conversation. Without an id, the provider gives it one. */
export type ReplayedItem = { readonly id: string | undefined; readonly event: string };

/** A call without its output, which follows when there is one. */
export type OpenCallItem = {
  readonly kind: 'open call';
  readonly itemId?: string;
  /** Its place in the record. */
  readonly position?: number;
  readonly callId: string;
  readonly name: string;
  readonly arguments: string;
};

/** A call that the client answered, with its output as it sent that. */
export type GivenCallItem = Omit<OpenCallItem, 'kind'> & {
  readonly kind: 'given call';
  readonly given: Readonly<Record<string, unknown>>;
};

/** What the client wrote, and the provider has not acknowledged under an id. */
export type UntakenMessage = Extract<PastItem, { kind: 'message' }> & { readonly untaken: true };

type Told = PastItem | OpenCallItem | GivenCallItem | UntakenMessage;
type Item = Readonly<Record<string, unknown>> & { readonly id?: string | undefined };

/**
 * The past as events for the provider. Items keep their ids. Others get ids of the service, which
 * distinguish their echoes from what is said in this session; they depend on the item's place only.
 */
export function replay(past: readonly Told[], codeFor: CodeFor): ReplayedItem[] {
  return past.flatMap(itemsFor).map((item, n) => {
    const eventId = ownId(codeFor, 'history', n + 1);
    const id = 'id' in item ? item.id : eventId;
    const named = id === undefined ? item : { ...item, id };
    const event = { type: 'conversation.item.create', event_id: eventId, item: named };
    return { id, event: JSON.stringify(event) };
  });
}

/** Puts calls among the rest where they were made: before what was said afterwards. */
export function inPlace<Item extends Told>(
  past: readonly Item[],
  calls: readonly (OpenCallItem | GivenCallItem)[],
): (Item | OpenCallItem | GivenCallItem)[] {
  return calls.reduce<(Item | OpenCallItem | GivenCallItem)[]>(
    (items, call) => {
      const { position: made = Infinity } = call;
      const later = items.findIndex(
        (item) => item.kind === 'message' && (item.position ?? 0) > made,
      );
      return items.toSpliced(later < 0 ? items.length : later, 0, call);
    },
    [...past],
  );
}

/** The provider refuses items with longer ids, which another provider may have given. */
const maxIdLength = 32;

function itemsFor(past: Told): Item[] {
  const { itemId } = past;
  const id = itemId === undefined || itemId.length > maxIdLength ? {} : { id: itemId };
  if (past.kind === 'message') {
    const { role, content: text } = past;
    const content = [{ type: role === 'user' ? 'input_text' : 'output_text', text }];
    const message = { type: 'message', role, content };
    return ['untaken' in past ? { id: itemId, ...message } : { ...id, ...message }];
  }
  const { callId: call_id, name, arguments: input } = past;
  const call = { ...id, type: 'function_call', call_id, name, arguments: input };
  if (past.kind === 'open call') return [call];
  if (past.kind === 'given call') {
    const { id: givenId, ...given } = past.given;
    return [call, typeof givenId === 'string' ? { ...given, id: givenId } : given];
  }
  const { output, outputId } = past;
  const outputs = outputId === undefined ? {} : { id: outputId };
  return [call, { ...outputs, type: 'function_call_output', call_id, output }];
}
