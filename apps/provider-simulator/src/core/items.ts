import type { AudioFormat } from './audio-format.js';

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

export type Content =
  | { type: 'input_text'; text: string }
  | { type: 'output_text'; text: string }
  | { type: 'input_audio'; transcript: string | null; audio?: string }
  | { type: 'output_audio'; transcript?: string; audio?: string }
  | { type: 'input_image'; image_url: string; detail?: string };

export type MessageItem = {
  id: string;
  type: 'message';
  status: ItemStatus;
  role: 'system' | 'user' | 'assistant';
  content: Content[];
};

export type FunctionCallItem = {
  id: string;
  type: 'function_call';
  status: ItemStatus;
  name: string;
  call_id: string;
  arguments: string;
};

export type FunctionCallOutputItem = {
  id: string;
  type: 'function_call_output';
  call_id: string;
  output: string;
};

export type Item = MessageItem | FunctionCallItem | FunctionCallOutputItem;

/** The sound of an item, kept for `conversation.item.retrieve` and `.truncate`. */
export type Sound = { format: AudioFormat; bytes: Buffer };

export type StoredItem = {
  item: Item;
  /** What the model understood of the user's speech, whether or not it was asked to transcribe. */
  heard?: string;
  sound?: Sound;
};

export type Insertion =
  | { outcome: 'inserted'; previousItemId: string | null }
  | { outcome: 'duplicate' }
  | { outcome: 'unknown-previous' };

/** The ordered items of one conversation. */
export class Conversation {
  readonly #items: StoredItem[] = [];

  get items(): readonly StoredItem[] {
    return this.#items;
  }

  get lastId(): string | null {
    return this.#items.at(-1)?.item.id ?? null;
  }

  /** Appends, or inserts after `previous`; "root" is the front. */
  insert(stored: StoredItem, previous?: string | null): Insertion {
    if (this.find(stored.item.id)) return { outcome: 'duplicate' };
    if (previous === undefined || previous === null) {
      const previousItemId = this.lastId;
      this.#items.push(stored);
      return { outcome: 'inserted', previousItemId };
    }
    if (previous === 'root') {
      this.#items.unshift(stored);
      return { outcome: 'inserted', previousItemId: null };
    }
    const at = this.#items.findIndex(({ item }) => item.id === previous);
    if (at < 0) return { outcome: 'unknown-previous' };
    this.#items.splice(at + 1, 0, stored);
    return { outcome: 'inserted', previousItemId: previous };
  }

  find(id: string): StoredItem | undefined {
    return this.#items.find(({ item }) => item.id === id);
  }

  findCall(callId: string): FunctionCallItem | undefined {
    for (const { item } of this.#items)
      if (item.type === 'function_call' && item.call_id === callId) return item;
    return undefined;
  }

  remove(id: string): boolean {
    const at = this.#items.findIndex(({ item }) => item.id === id);
    if (at < 0) return false;
    this.#items.splice(at, 1);
    return true;
  }
}
