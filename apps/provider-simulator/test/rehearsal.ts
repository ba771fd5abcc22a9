// The engine on a stage without sockets: frames go in by hand, timers run on a clock that only moves
// when told to, and every effect is kept.
import { Engine, type Input } from '#src/core/engine.js';
import { hear } from '#src/core/hearing.js';
import type { Effect } from '#src/core/outbox.js';
import type { ServerEvent, ServerEventType } from '#src/core/server-events.js';
import type { EngineOptions } from '#src/core/world.js';
import { humText } from '#src/speech/voice.js';

/** A hum as long as the text needs to be read out: the real voice is not needed to test the order of events. */
const humming: EngineOptions['speak'] = ({ text, format }) =>
  humText(text, format, Math.max(300, text.length * 20));

const calm: EngineOptions = {
  model: 'gpt-realtime',
  seed: 7,
  azure: false,
  pacing: { thinkMs: 50, tokenMs: 5, audioChunkMs: 100, audioSpeed: 4 },
  transcriptionDelayMs: 60,
  sessionSeconds: 3600,
  sessionUpdate: 'answer',
  transcription: 'answer',
  unknownEvents: false,
  speak: humming,
  hear,
};

export type EventOf<T extends ServerEventType> = Extract<ServerEvent, { type: T }>;

export class Rehearsal {
  readonly events: ServerEvent[] = [];
  readonly effects: Exclude<Effect, { type: 'send' | 'timer' | 'cancel-timer' }>[] = [];
  readonly #engine: Engine;
  readonly #timers = new Map<string, number>();
  #nowMs = 0;

  constructor(options: Partial<EngineOptions> = {}) {
    this.#engine = new Engine({ ...calm, ...options });
    this.#feed({ type: 'opened', nowMs: 1_000_000 });
  }

  send(...events: object[]): this {
    for (const event of events) this.#feed({ type: 'text', text: JSON.stringify(event) });
    return this;
  }

  sendText(text: string): this {
    this.#feed({ type: 'text', text });
    return this;
  }

  sendBinary(): this {
    this.#feed({ type: 'binary' });
    return this;
  }

  update(session: object): this {
    return this.send({ type: 'session.update', session: { type: 'realtime', ...session } });
  }

  /** A typed message and a response to it. */
  ask(text: string, response?: object): this {
    const content = [{ type: 'input_text', text }];
    this.send({
      type: 'conversation.item.create',
      item: { type: 'message', role: 'user', content },
    });
    return this.send({ type: 'response.create', ...(response && { response }) });
  }

  /** Sound in frames of `frameBytes`. */
  stream(bytes: Buffer, frameBytes = 4800): this {
    for (let at = 0; at < bytes.length; at += frameBytes) {
      const audio = bytes.subarray(at, at + frameBytes).toString('base64');
      this.send({ type: 'input_audio_buffer.append', audio });
    }
    return this;
  }

  /** Lets `ms` pass, firing what falls due. */
  advance(ms: number): this {
    const until = this.#nowMs + ms;
    for (;;) {
      const due = [...this.#timers].filter(([, at]) => at <= until).sort((a, b) => a[1] - b[1])[0];
      if (!due) break;
      this.#nowMs = due[1];
      this.#timers.delete(due[0]);
      this.#feed({ type: 'timer', key: due[0] });
    }
    this.#nowMs = until;
    return this;
  }

  /** Lets a minute pass: every ordinary response has ended by then. */
  settle(): this {
    return this.advance(60_000);
  }

  /** Plays on, one step at a time, until an event of this type was sent. */
  until(type: ServerEventType): this {
    for (let i = 0; i < 10_000 && !this.types.includes(type); i++) this.advance(5);
    return this;
  }

  get types(): ServerEventType[] {
    return this.events.map((event) => event.type);
  }

  get timers(): string[] {
    return [...this.#timers.keys()];
  }

  all<T extends ServerEventType>(type: T): EventOf<T>[] {
    return this.events.filter((event): event is EventOf<T> => event.type === type);
  }

  last<T extends ServerEventType>(type: T): EventOf<T> {
    const found = this.all(type).at(-1);
    if (!found) throw new Error(`no ${type} among ${this.types.join(', ')}`);
    return found;
  }

  /** What the model said in its latest answer. */
  get answer(): string {
    const item = this.last('response.done').response.output[0];
    const part = item?.type === 'message' ? item.content[0] : undefined;
    if (part?.type === 'output_text') return part.text;
    return part?.type === 'output_audio' ? (part.transcript ?? '') : '';
  }

  #feed(input: Input): void {
    for (const effect of this.#engine.handle(input)) {
      if (effect.type === 'send')
        this.events.push(JSON.parse(JSON.stringify(effect.event)) as ServerEvent);
      else if (effect.type === 'timer') this.#timers.set(effect.key, this.#nowMs + effect.ms);
      else if (effect.type === 'cancel-timer') this.#timers.delete(effect.key);
      else this.effects.push(effect);
    }
  }
}

const deltas = /^response\.output_(audio|audio_transcript|text)\.delta$|arguments\.delta$/;

/** The order of events with each run of deltas told once. */
export function collapsed(types: readonly string[]): string[] {
  const out: string[] = [];
  for (const type of types) {
    const name = deltas.test(type) ? 'deltas' : type;
    if (name !== 'deltas' || out.at(-1) !== name) out.push(name);
  }
  return out;
}

export const weatherTool = {
  type: 'function',
  name: 'get_weather',
  description: 'Tells the weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
