import { isObject, type JsonObject } from '@parley/protocol';
import { storableIdIn, wordsIn } from './event-fields.js';
import { withSlot, type Ledger, type Slot } from './ledger.js';
import { amend, interrupt, join, record, type Noted, type RecordEffect } from './note.js';
import type { TokenCounts } from './usage.js';

/**
 * Applies the end of a response to its messages: which were cut off, their words if no other event
 * contained them, and the cost.
 */
export function conclude(
  ledger: Ledger,
  response: JsonObject,
  usage: TokenCounts | undefined,
): Noted {
  const output = Array.isArray(response['output']) ? response['output'].filter(isObject) : [];
  const ids = new Set(output.map((item) => storableIdIn(item, 'id')));
  const responseId = storableIdIn(response, 'id');
  const isOf = (slot: Slot) =>
    ids.has(slot.itemId ?? '') || (responseId !== undefined && slot.responseId === responseId);
  const cut = response['status'] === 'completed' ? () => false : isCutIn(output);
  let noted: Noted = { ledger, effects: [] };
  for (const slot of ledger.slots.filter(isOf))
    if (cut(slot)) noted = join(noted, interrupt(noted.ledger, slot, null));
  for (const item of output) noted = join(noted, complete(noted.ledger, item));
  return {
    ...noted,
    effects: [...noted.effects, ...costOf(noted.ledger.slots.filter(isOf), usage)],
  };
}

/** Whether an item was cut off by a response that did not complete. */
function isCutIn(output: readonly JsonObject[]): (slot: Slot) => boolean {
  const whole = output.filter((item) => item['status'] === 'completed');
  const ids = new Set(whole.map((item) => storableIdIn(item, 'id')));
  return ({ itemId }) => itemId === null || !ids.has(itemId);
}

/** Records an answer that still lacks its words because no event of its own contained them. */
function complete(ledger: Ledger, item: JsonObject): Noted {
  const itemId = storableIdIn(item, 'id');
  const slot = ledger.slots.find((other) => other.itemId !== null && other.itemId === itemId);
  const content = Array.isArray(item['content']) ? (item['content'] as unknown[]) : [];
  const said = content.flatMap((part, contentIndex) => {
    const words = isObject(part) ? wordsIn(part) : undefined;
    return words === undefined
      ? []
      : [{ contentIndex, role: 'assistant', content: words } as const];
  });
  if (slot?.awaits !== 'assistant' || said.length === 0) return { ledger, effects: [] };
  const parts = said.map(({ contentIndex }) => contentIndex);
  return {
    ledger: withSlot(ledger, { ...slot, awaits: null, parts }),
    effects: said.map((part) => record(slot, part)),
  };
}

/** A response's usage is stored with its first message. */
function costOf(slots: readonly Slot[], usage: TokenCounts | undefined): RecordEffect[] {
  const first = slots.find(({ parts }) => parts.length > 0);
  return first && usage ? amend({ ...first, parts: first.parts.slice(0, 1) }, { usage }) : [];
}
