// The conversation as the client edits it: create, retrieve, delete and truncate items.
import { byteLengthOf, millisecondsOf } from './audio-format.js';
import type { ClientEvent } from './client-events.js';
import { readItem } from './client-item.js';
import type { Content, Item, StoredItem } from './items.js';
import type { Responses } from './responses.js';
import type { World } from './world.js';

export class ItemEvents {
  readonly #world: World;
  readonly #responses: Responses;
  #deferred: ClientEvent[] = [];

  constructor(world: World, responses: Responses) {
    this.#world = world;
    this.#responses = responses;
  }

  create(event: ClientEvent): void {
    const { out, conversation } = this.#world;
    const { body, eventId } = event;
    const read = readItem(this.#world, body['item'], 'item');
    if (!read.ok) {
      out.refuse({ ...read.problem, eventId });
      return;
    }
    const { item } = read.stored;
    if (item.type === 'function_call_output') {
      if (!conversation.findCall(item.call_id)) {
        out.refuse({
          code: 'invalid_tool_call_id',
          message: `Tool call ID '${item.call_id}' not found in conversation.`,
          param: null,
          eventId,
        });
        return;
      }
      // As recorded: an output that arrives while its response is still running is added after it.
      if (this.#responses.active?.made(item.call_id)) {
        this.#deferred.push(event);
        return;
      }
    }
    this.#insert(read.stored, event);
  }

  /** A response has ended: adds the items that waited for it. */
  takeUpDeferred(): void {
    const waiting = this.#deferred;
    this.#deferred = [];
    for (const event of waiting) this.create(event);
  }

  #insert(stored: StoredItem, { body, eventId }: ClientEvent): void {
    const { out, conversation } = this.#world;
    const previous = typeof body['previous_item_id'] === 'string' ? body['previous_item_id'] : null;
    const insertion = conversation.insert(stored, previous);
    switch (insertion.outcome) {
      case 'duplicate':
        out.refuse({
          code: 'item_create_duplicate_item_id',
          message: `Item with ID '${stored.item.id}' already exists.`,
          param: 'item.id',
          eventId,
        });
        break;
      case 'unknown-previous':
        out.refuse({
          code: 'item_create_invalid_previous_item_id',
          message: `Previous item with ID '${previous ?? ''}' not found.`,
          param: 'previous_item_id',
          eventId,
        });
        break;
      case 'inserted': {
        const item = structuredClone(stored.item);
        const place = { previous_item_id: insertion.previousItemId, item };
        out.send('conversation.item.added', place);
        out.send('conversation.item.done', place);
      }
    }
  }

  retrieve({ body, eventId }: ClientEvent): void {
    const stored = this.#find('retrieve', String(body['item_id']), eventId);
    if (stored) this.#world.out.send('conversation.item.retrieved', { item: withSound(stored) });
  }

  delete({ body, eventId }: ClientEvent): void {
    const id = String(body['item_id']);
    if (!this.#find('delete', id, eventId)) return;
    this.#world.conversation.remove(id);
    this.#world.out.send('conversation.item.deleted', { item_id: id });
  }

  truncate({ body, eventId }: ClientEvent): void {
    const { out } = this.#world;
    const id = String(body['item_id']);
    const stored = this.#find('truncate', id, eventId);
    if (!stored) return;
    const audio_end_ms = Number(body['audio_end_ms']);
    const content_index = Number(body['content_index']);
    const { item } = stored;
    const sound = stored.sound ?? this.#responses.active?.soundSoFar(id);
    if (item.type !== 'message' || item.role !== 'assistant' || !sound || content_index !== 0) {
      out.refuse({
        code: 'unsupported_content_type',
        message: 'Only model output audio messages can be truncated',
        param: content_index === 0 ? 'item_id' : 'content_index',
        eventId,
      });
      return;
    }
    const ms = Math.floor(millisecondsOf(sound.format, sound.bytes.length));
    if (audio_end_ms > ms) {
      out.refuse({
        code: null,
        message: `Audio content of ${ms}ms is already shorter than ${audio_end_ms}ms`,
        param: null,
        eventId,
      });
      return;
    }
    const { format, bytes } = sound;
    stored.sound = { format, bytes: bytes.subarray(0, byteLengthOf(format, audio_end_ms)) };
    // What was not heard is forgotten, including its text.
    item.content = [{ type: 'output_audio' }];
    out.send('conversation.item.truncated', { item_id: id, content_index, audio_end_ms });
  }

  #find(
    verb: 'retrieve' | 'delete' | 'truncate',
    id: string,
    eventId: string | null,
  ): StoredItem | undefined {
    const stored = this.#world.conversation.find(id);
    if (!stored)
      this.#world.out.refuse({
        code: `item_${verb}_invalid_item_id`,
        message: `Error: the item with ID '${id}' does not exist.`,
        param: 'item_id',
        eventId,
      });
    return stored;
  }
}

function withSound({ item, sound }: StoredItem): Item {
  const copy = structuredClone(item);
  if (copy.type !== 'message' || !sound) return copy;
  const audio = sound.bytes.toString('base64');
  copy.content = copy.content.map((part): Content =>
    part.type === 'input_audio' || part.type === 'output_audio' ? { ...part, audio } : part,
  );
  return copy;
}
