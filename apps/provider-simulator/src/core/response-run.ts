// One response being played: it turns beats into the provider's events, in the recorded order, and
// can be cut short at any point, after which everything it opened is closed as incomplete.
//
//   start -> (beat | wait)* -> finish
//                 \-> cancel
import type { IdSource } from './ids.js';
import type {
  Conversation,
  FunctionCallItem,
  Item,
  MessageItem,
  Sound,
  StoredItem,
} from './items.js';
import type { Outbox } from './outbox.js';
import type { Response, StatusDetails } from './response.js';
import type { Disconnect } from './plan.js';
import type { Beat } from './script.js';
import { outputAudioTokens, textTokens, usageOf, type TokenCount } from './usage.js';
import { millisecondsOf } from './audio-format.js';

export type RunOptions = {
  response: Omit<Response, 'id' | 'status' | 'status_details' | 'output' | 'usage'>;
  beats: readonly Beat[];
  promptTokens: TokenCount;
  cachedTokens: TokenCount;
  /** Absent for a response outside of the conversation. */
  conversation?: Conversation;
  /** Content part events carry a second copy of the part. */
  azure: boolean;
};

type Open = {
  stored: StoredItem;
  index: number;
  previousItemId: string | null;
  words: string;
  audio: Buffer[];
};

/** What the engine must do next. */
export type Played =
  | { next: 'wait'; ms: number }
  | { next: 'done' }
  | { next: 'disconnect'; disconnect: Disconnect };

export class ResponseRun {
  readonly id: string;
  readonly conversation: Conversation | undefined;
  readonly promptTokens: TokenCount;
  /** How much sound was sent, for the idle timer. */
  audioMs = 0;
  readonly #options: RunOptions;
  readonly #ids: IdSource;
  readonly #out: Outbox;
  readonly #output: Item[] = [];
  #at = 0;
  #open: Open | undefined;
  readonly #spent: TokenCount = { text: 0, audio: 0 };

  constructor(options: RunOptions, ids: IdSource, out: Outbox) {
    this.#options = options;
    this.#ids = ids;
    this.#out = out;
    this.id = ids.next('resp');
    this.conversation = options.conversation;
    this.promptTokens = options.promptTokens;
  }

  get #modality(): 'text' | 'audio' {
    return this.#options.response.output_modalities[0] ?? 'audio';
  }

  /** Whether this response made the call. */
  made(callId: string): boolean {
    return this.#output.some((item) => item.type === 'function_call' && item.call_id === callId);
  }

  /** The sound so far of an item that is being spoken. */
  soundSoFar(itemId: string): Sound | undefined {
    const open = this.#open;
    if (open?.stored.item.id !== itemId || open.audio.length === 0) return undefined;
    return { format: this.#options.response.audio.output.format, bytes: Buffer.concat(open.audio) };
  }

  start(): void {
    this.#out.send('response.created', { response: this.#response('in_progress', null) });
  }

  /** Plays until the next pause or the end. */
  play(): Played {
    for (;;) {
      const beat = this.#options.beats[this.#at];
      this.#at += 1;
      if (!beat) return { next: 'done' };
      if (beat.type === 'wait') {
        if (beat.ms > 0) return { next: 'wait', ms: beat.ms };
      } else if (beat.type === 'disconnect') {
        return { next: 'disconnect', disconnect: beat };
      } else if (beat.type === 'end') {
        this.#finish(beat.details);
        return { next: 'done' };
      } else this.#perform(beat);
    }
  }

  cancel(reason: 'turn_detected' | 'client_cancelled'): void {
    this.#finish({ type: 'cancelled', reason });
  }

  #perform(beat: Exclude<Beat, { type: 'wait' | 'disconnect' | 'end' }>): void {
    switch (beat.type) {
      case 'open-message':
        this.#openMessage();
        break;
      case 'open-call':
        this.#openCall(beat.name);
        break;
      case 'words':
        this.#words(beat.delta);
        break;
      case 'audio':
        this.#audio(beat.bytes);
        break;
      case 'arguments':
        this.#arguments(beat.delta);
        break;
      case 'close-item':
        this.#closeItem('completed');
        break;
      case 'error':
        this.#out.send('error', { error: serverError(beat.code) });
        break;
      case 'raw':
        this.#out.add({ type: 'send-text', text: beat.text });
        break;
      case 'binary':
        this.#out.add({ type: 'send-binary', bytes: beat.bytes });
        break;
    }
  }

  #openMessage(): void {
    const id = this.#ids.next('item');
    this.#openItem({ id, type: 'message', status: 'in_progress', role: 'assistant', content: [] });
    this.#contentPart('response.content_part.added', '');
  }

  #openCall(name: string): void {
    const id = this.#ids.next('item');
    const call_id = this.#ids.next('call');
    this.#openItem({
      id,
      type: 'function_call',
      status: 'in_progress',
      name,
      call_id,
      arguments: '',
    });
  }

  #openItem(item: MessageItem | FunctionCallItem): void {
    const stored: StoredItem = { item };
    const index = this.#output.length;
    const previousItemId = this.conversation?.lastId ?? null;
    this.#open = { stored, index, previousItemId, words: '', audio: [] };
    this.#output.push(item);
    const snapshot = structuredClone(item);
    this.#out.send('response.output_item.added', {
      response_id: this.id,
      output_index: index,
      item: snapshot,
    });
    if (!this.conversation) return;
    this.conversation.insert(stored);
    this.#out.send('conversation.item.added', { previous_item_id: previousItemId, item: snapshot });
  }

  #words(delta: string): void {
    if (!this.#open) return;
    this.#open.words += delta;
    this.#spent.text += textTokens(delta);
    const body = { ...this.#place(this.#open), delta, obfuscation: this.#ids.padding(delta) };
    if (this.#modality === 'text') this.#out.send('response.output_text.delta', body);
    else this.#out.send('response.output_audio_transcript.delta', body);
  }

  #audio(bytes: Buffer): void {
    if (!this.#open) return;
    this.#open.audio.push(bytes);
    const ms = millisecondsOf(this.#options.response.audio.output.format, bytes.length);
    this.audioMs += ms;
    this.#spent.audio += outputAudioTokens(ms);
    const delta = bytes.toString('base64');
    this.#out.send('response.output_audio.delta', { ...this.#place(this.#open), delta });
  }

  #arguments(delta: string): void {
    const item = this.#open?.stored.item;
    if (!this.#open || item?.type !== 'function_call') return;
    item.arguments += delta;
    this.#spent.text += textTokens(delta);
    this.#out.send('response.function_call_arguments.delta', {
      response_id: this.id,
      item_id: item.id,
      output_index: this.#open.index,
      call_id: item.call_id,
      delta,
      obfuscation: this.#ids.padding(delta),
    });
  }

  #closeItem(status: 'completed' | 'incomplete'): void {
    const open = this.#open;
    if (!open) return;
    this.#open = undefined;
    const { item } = open.stored;
    if (item.type === 'function_call') this.#closeArguments(item, open.index);
    else if (item.type === 'message') this.#closeContent(open, item);
    if (item.type !== 'function_call_output') item.status = status;
    const snapshot = structuredClone(item);
    // As recorded, only the closing event of a written message repeats the item's position.
    const written = item.type === 'message' && this.#modality === 'text';
    const previous_item_id = written ? open.previousItemId : null;
    if (this.conversation)
      this.#out.send('conversation.item.done', { previous_item_id, item: snapshot });
    this.#out.send('response.output_item.done', {
      response_id: this.id,
      output_index: open.index,
      item: snapshot,
    });
  }

  #closeArguments(item: FunctionCallItem, output_index: number): void {
    const { id: item_id, call_id, name } = item;
    const body = { response_id: this.id, item_id, output_index, call_id, name };
    this.#out.send('response.function_call_arguments.done', { ...body, arguments: item.arguments });
  }

  #closeContent(open: Open, item: MessageItem): void {
    const place = this.#place(open);
    if (this.#modality === 'text') {
      this.#out.send('response.output_text.done', { ...place, text: open.words });
      item.content = [{ type: 'output_text', text: open.words }];
    } else {
      this.#out.send('response.output_audio.done', place);
      this.#out.send('response.output_audio_transcript.done', { ...place, transcript: open.words });
      // What was cut while it was spoken stays cut.
      if (!open.stored.sound) {
        item.content = [{ type: 'output_audio', transcript: open.words }];
        const { format } = this.#options.response.audio.output;
        open.stored.sound = { format, bytes: Buffer.concat(open.audio) };
      }
    }
    this.#contentPart('response.content_part.done', open.words, open);
  }

  #contentPart(
    type: 'response.content_part.added' | 'response.content_part.done',
    words: string,
    open = this.#open,
  ): void {
    if (!open) return;
    const part =
      this.#modality === 'text'
        ? ({ type: 'text', text: words } as const)
        : ({ type: 'audio', transcript: words } as const);
    const body = { ...this.#place(open), part };
    this.#out.send(type, this.#options.azure ? { ...body, content: part } : body);
  }

  #place(open: Open) {
    return {
      response_id: this.id,
      item_id: open.stored.item.id,
      output_index: open.index,
      content_index: 0,
    };
  }

  #finish(details: StatusDetails | null): void {
    this.#closeItem('incomplete');
    const response = this.#response(details?.type ?? 'completed', details);
    this.#out.send('response.done', { response });
  }

  #response(status: Response['status'], status_details: StatusDetails | null): Response {
    const { conversation_id, output_modalities, max_output_tokens, audio, metadata } =
      this.#options.response;
    const { promptTokens, cachedTokens } = this.#options;
    return {
      object: 'realtime.response',
      id: this.id,
      status,
      status_details,
      output: structuredClone(this.#output),
      conversation_id,
      output_modalities,
      max_output_tokens,
      audio,
      usage: status === 'in_progress' ? null : usageOf(promptTokens, cachedTokens, this.#spent),
      metadata,
    };
  }
}

const serverError = (code: string) => ({
  type: 'server_error',
  code,
  message: `A simulated error: ${code}.`,
  param: null,
  event_id: null,
});
