// One realtime session as a machine without I/O: frames and timers go in, effects come out. It owns
// no socket, no clock and no randomness, so the same inputs always give the same effects.
//
//   opened    first frame: session.created with the defaults
//   talking   client events are answered one by one; timers drive what takes time
//   hung      nothing is answered any more
import { parseFrame, type ClientEvent, type ClientEventType } from './client-events.js';
import { IdSource } from './ids.js';
import { ItemEvents } from './item-events.js';
import { Conversation } from './items.js';
import { Listening } from './listening.js';
import { Outbox, type Effect } from './outbox.js';
import { expire, Responses } from './responses.js';
import { defaultSession, updateSession } from './session-config.js';
import type { EngineOptions, World } from './world.js';

export type Input =
  | { type: 'opened'; nowMs: number }
  | { type: 'text'; text: string }
  | { type: 'binary' }
  | { type: 'timer'; key: string };

export class Engine {
  readonly #world: World;
  readonly #responses: Responses;
  readonly #listening: Listening;
  readonly #items: ItemEvents;
  readonly #handlers: Record<ClientEventType, (event: ClientEvent) => void>;

  constructor(options: EngineOptions) {
    const ids = new IdSource(options.seed);
    this.#world = {
      options,
      ids,
      out: new Outbox(ids),
      conversation: new Conversation(),
      conversationId: ids.next('conv'),
      session: defaultSession({ id: ids.next('sess'), model: options.model, expiresAt: 0 }),
      audioSent: false,
      hung: false,
    };
    this.#responses = new Responses(this.#world, (run) => {
      this.#items.takeUpDeferred();
      this.#listening.waitForUser(run);
    });
    this.#listening = new Listening(this.#world, this.#responses);
    this.#items = new ItemEvents(this.#world, this.#responses);
    this.#handlers = {
      'session.update': (event) => this.#updateSession(event),
      'input_audio_buffer.append': (event) => this.#listening.append(event),
      'input_audio_buffer.commit': (event) => this.#listening.commit(event),
      'input_audio_buffer.clear': () => this.#listening.clear(),
      'conversation.item.create': (event) => this.#items.create(event),
      'conversation.item.retrieve': (event) => this.#items.retrieve(event),
      'conversation.item.delete': (event) => this.#items.delete(event),
      'conversation.item.truncate': (event) => this.#items.truncate(event),
      'response.create': (event) => this.#responses.createFromEvent(event),
      'response.cancel': (event) => this.#responses.cancelFromEvent(event),
      'output_audio_buffer.clear': (event) => this.#refuseOutputClear(event),
    };
  }

  handle(input: Input): Effect[] {
    if (this.#world.hung) return [];
    switch (input.type) {
      case 'opened':
        this.#open(input.nowMs);
        break;
      case 'text':
        this.#frame(input.text);
        break;
      case 'binary':
        this.#world.out.refuse({
          code: 'invalid_event',
          message: 'Events are JSON in text frames; a binary frame was received.',
          param: null,
          eventId: null,
        });
        break;
      case 'timer':
        this.#timer(input.key);
    }
    return this.#world.out.take();
  }

  #open(nowMs: number): void {
    const { options, out, ids } = this.#world;
    const seconds = options.announcedSeconds ?? options.sessionSeconds;
    this.#world.session.expires_at = Math.floor(nowMs / 1000) + seconds;
    out.send('session.created', { session: this.#world.session });
    out.add({ type: 'timer', key: 'expire', ms: options.sessionSeconds * 1000 });
    if (options.unknownEvents)
      out.add({
        type: 'send-text',
        text: JSON.stringify({ type: 'simulator.novelty', event_id: ids.next('event'), news: {} }),
      });
  }

  #frame(text: string): void {
    const parsed = parseFrame(text);
    if (parsed.ok) this.#handlers[parsed.event.type](parsed.event);
    else this.#world.out.refuse(parsed.refusal);
  }

  #timer(key: string): void {
    const [kind, id = ''] = key.split(':');
    if (kind === 'response') this.#responses.wake(id);
    else if (kind === 'transcription') this.#listening.transcribed(id);
    else if (kind === 'idle') this.#listening.idle();
    else if (kind === 'expire') expire(this.#world);
  }

  #updateSession({ body, eventId }: ClientEvent): void {
    const { options, out, session, audioSent } = this.#world;
    if (options.sessionUpdate === 'ignore') return;
    if (options.sessionUpdate === 'refuse') {
      out.refuse({
        code: 'invalid_value',
        message: 'The simulator was told to refuse every session.update.',
        param: 'session',
        eventId,
      });
      return;
    }
    const update = updateSession(session, body['session'], { audioSent });
    if (!update.ok) {
      out.refuse({ ...update.problem, eventId });
      return;
    }
    if (update.keptModel) out.add({ type: 'note', note: 'model kept' });
    this.#world.session = update.session;
    out.send('session.updated', { session: update.session });
  }

  #refuseOutputClear({ eventId }: ClientEvent): void {
    this.#world.out.refuse({
      code: 'invalid_value',
      message: 'output_audio_buffer.clear is for WebRTC and SIP connections only.',
      param: 'type',
      eventId,
    });
  }
}
