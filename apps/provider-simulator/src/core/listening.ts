// Listening: the input audio buffer, turns found in it or committed by hand, their transcription,
// and the question whether anyone is still there.
import { decodeBase64 } from './base64.js';
import { millisecondsOf } from './audio-format.js';
import type { ClientEvent } from './client-events.js';
import { parseDirectives } from './directives.js';
import { InputAudio } from './input-audio.js';
import { notBase64 } from './item-shape.js';
import type { MessageItem, Sound } from './items.js';
import { transcriptionPlanOf } from './plan.js';
import type { ResponseRun } from './response-run.js';
import type { Responses } from './responses.js';
import { transcriptionUsage } from './usage.js';
import type { VadEvent } from './vad.js';
import type { World } from './world.js';

/** What the provider accepts as a turn at the least. */
const shortestTurnMs = 100;

type Heard = { item: MessageItem; sound: Sound; text: string };

export class Listening {
  readonly #world: World;
  readonly #responses: Responses;
  #audio: InputAudio;
  #turn: { itemId: string; startMs: number } | undefined;
  readonly #transcribing = new Map<string, { heard: Heard; stage: 'words' | 'whole' }>();

  constructor(world: World, responses: Responses) {
    this.#world = world;
    this.#responses = responses;
    this.#audio = new InputAudio(world.session.audio.input.format);
  }

  append({ body, eventId }: ClientEvent): void {
    const bytes = decodeBase64(String(body['audio']));
    if (!bytes) {
      this.#world.out.refuse({ ...notBase64('audio'), eventId });
      return;
    }
    const { format, turn_detection } = this.#world.session.audio.input;
    if (this.#audio.format.type !== format.type)
      this.#audio = new InputAudio(format, this.#audio.elapsedMs);
    for (const event of this.#audio.append(bytes, turn_detection)) this.#noticed(event);
  }

  commit({ eventId }: ClientEvent): void {
    const { out, ids } = this.#world;
    const ms = this.#audio.bufferedMs;
    if (ms < shortestTurnMs) {
      out.refuse({
        code: 'input_audio_buffer_commit_empty',
        message: `Error committing input audio buffer: buffer too small. Expected at least ${shortestTurnMs}ms of audio, but buffer only has ${ms.toFixed(2)}ms of audio.`,
        param: null,
        eventId,
      });
      return;
    }
    const itemId = this.#turn?.itemId ?? ids.next('item');
    this.#turn = undefined;
    const heard = this.#commitTurn(itemId, this.#audio.take());
    this.#audio.endTurn();
    this.#transcribe(heard);
  }

  clear(): void {
    this.#audio.clear();
    this.#turn = undefined;
    this.#world.out.send('input_audio_buffer.cleared', {});
  }

  /** Starts waiting for the user when a response has ended, if the session asks for it. */
  waitForUser(run: ResponseRun): void {
    const detection = this.#world.session.audio.input.turn_detection;
    if (detection?.type !== 'server_vad' || detection.idle_timeout_ms === null) return;
    if (this.#turn) return;
    this.#world.out.add({
      type: 'timer',
      key: 'idle',
      ms: run.audioMs + detection.idle_timeout_ms,
    });
  }

  /** Nobody spoke: an empty turn makes the model ask. */
  idle(): void {
    if (this.#turn || this.#responses.active) return;
    const { out, ids } = this.#world;
    const itemId = ids.next('item');
    const now = Math.round(this.#audio.elapsedMs);
    out.send('input_audio_buffer.timeout_triggered', {
      audio_start_ms: Math.round(now - this.#audio.bufferedMs),
      audio_end_ms: now,
      item_id: itemId,
    });
    this.#commitTurn(itemId, this.#audio.take(), '');
    this.#responses.create({}, null);
  }

  #noticed(event: VadEvent): void {
    const { out, ids, session } = this.#world;
    const detection = session.audio.input.turn_detection;
    if (event.type === 'started') {
      this.#turn = { itemId: ids.next('item'), startMs: event.startMs };
      out.add({ type: 'cancel-timer', key: 'idle' });
      out.send('input_audio_buffer.speech_started', {
        audio_start_ms: Math.round(event.startMs),
        item_id: this.#turn.itemId,
      });
      const active = this.#responses.active;
      if (active && detection?.interrupt_response) this.#responses.cancel(active, 'turn_detected');
      return;
    }
    if (!this.#turn) return;
    const { itemId, startMs } = this.#turn;
    this.#turn = undefined;
    out.send('input_audio_buffer.speech_stopped', {
      audio_end_ms: Math.round(event.endMs),
      item_id: itemId,
    });
    const heard = this.#commitTurn(itemId, this.#audio.take(startMs, event.endMs));
    if (detection?.create_response) this.#responses.create({}, null);
    this.#transcribe(heard);
  }

  #commitTurn(itemId: string, bytes: Buffer, text?: string): Heard {
    const { out, conversation, options } = this.#world;
    const sound: Sound = { format: this.#audio.format, bytes };
    const item: MessageItem = {
      id: itemId,
      type: 'message',
      status: 'completed',
      role: 'user',
      content: [{ type: 'input_audio', transcript: null }],
    };
    const heard = text ?? options.hear(bytes, sound.format);
    const previous_item_id = conversation.lastId;
    conversation.insert({ item, heard, sound });
    out.send('input_audio_buffer.committed', { previous_item_id, item_id: itemId });
    const snapshot = structuredClone(item);
    out.send('conversation.item.added', { previous_item_id, item: snapshot });
    out.send('conversation.item.done', { previous_item_id, item: snapshot });
    return { item, sound, text: heard };
  }

  #transcribe(heard: Heard): void {
    const { session, options, out } = this.#world;
    if (!session.audio.input.transcription) return;
    const { extraDelayMs } = transcriptionPlanOf(parseDirectives(heard.text));
    this.#transcribing.set(heard.item.id, { heard, stage: 'words' });
    const ms = options.transcriptionDelayMs + extraDelayMs;
    out.add({ type: 'timer', key: `transcription:${heard.item.id}`, ms });
  }

  /** The words come first, the whole text a moment later: answers interleave with both. */
  transcribed(itemId: string): void {
    const entry = this.#transcribing.get(itemId);
    const model = this.#world.session.audio.input.transcription?.model;
    if (!entry || model === undefined) return;
    const { options, out } = this.#world;
    const place = { item_id: itemId, content_index: 0 };
    if (entry.stage === 'words') {
      const failure = this.#failureOf(entry.heard.text);
      if (failure) {
        this.#transcribing.delete(itemId);
        const error = { type: 'invalid_request_error', ...failure, param: null };
        out.send('conversation.item.input_audio_transcription.failed', { ...place, error });
        return;
      }
      this.#sendWords(entry.heard.text, place);
      entry.stage = 'whole';
      out.add({
        type: 'timer',
        key: `transcription:${itemId}`,
        ms: options.transcriptionDelayMs,
      });
      return;
    }
    this.#transcribing.delete(itemId);
    const { item, sound, text } = entry.heard;
    item.content = [{ type: 'input_audio', transcript: text }];
    const ms = millisecondsOf(sound.format, sound.bytes.length);
    const usage = transcriptionUsage(model, ms, text);
    out.send('conversation.item.input_audio_transcription.completed', {
      ...place,
      transcript: text,
      usage,
    });
  }

  #sendWords(text: string, place: { item_id: string; content_index: number }): void {
    const { out, ids } = this.#world;
    for (const delta of text.match(/(?<!\s)\s*\S+/g) ?? [])
      out.send('conversation.item.input_audio_transcription.delta', {
        ...place,
        delta,
        obfuscation: ids.padding(delta),
      });
  }

  #failureOf(text: string): { code: string; message: string } | undefined {
    if (this.#world.options.transcription === 'deployment-missing')
      return {
        code: 'DeploymentNotFound',
        message: 'There is no deployment with the name of the transcription model.',
      };
    const code = transcriptionPlanOf(parseDirectives(text)).failWith;
    return code === undefined
      ? undefined
      : { code, message: `The transcription failed with ${code}.` };
  }
}
