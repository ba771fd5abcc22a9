import { parseItem } from './item-shape.js';
import type { StoredItem } from './items.js';
import type { Problem } from './shape.js';
import type { World } from './world.js';

export type ReadItem = { ok: true; stored: StoredItem } | { ok: false; problem: Problem };

/** An item as the client sent it, with what the model hears in it. */
export function readItem({ ids, session, options }: World, value: unknown, path: string): ReadItem {
  const { format } = session.audio.input;
  const parsed = parseItem(value, path, {
    itemId: () => ids.next('item'),
    callId: () => ids.next('call'),
    format,
  });
  if (!parsed.ok) return parsed;
  const { item, sound } = parsed;
  if (!sound) return { ok: true, stored: { item } };
  return { ok: true, stored: { item, sound, heard: options.hear(sound.bytes, format) } };
}
