import { begin, type Core, type Effect, type Input } from '#src/core/state.js';
import { step } from '#src/core/step.js';
import type { Heard, RawEvent } from '#src/index.js';

/** A core that is fed with inputs, and everything that it wanted done. */
export class Playing {
  core: Core;
  effects: Effect[] = [];

  constructor(tools: string[] = []) {
    this.core = begin('c_seed', tools);
    this.take({ kind: 'connected', again: false });
  }

  take(input: Input): this {
    const next = step(this.core, input);
    this.core = next.core;
    this.effects.push(...next.effects);
    return this;
  }

  /** An event of the service, with what the player says; undefined without one. */
  hear(type: string, event: object = {}, heard?: Heard | null): this {
    return this.take({ kind: 'event', event: { type, ...event }, now: 1_000, heard });
  }

  get sent(): RawEvent[] {
    return this.effects.flatMap((effect) => (effect.kind === 'send' ? [effect.event] : []));
  }

  /** What was sent since the last call, by type. */
  sentTypes(): string[] {
    const types = this.sent.map(({ type }) => type);
    this.effects = [];
    return types;
  }

  get lines(): string[] {
    return this.core.lines.map(({ message: { role, text, interrupted } }) =>
      [`${role}: ${text}`, ...(interrupted ? ['(interrupted)'] : [])].join(' '),
    );
  }

  /** The agent begins to speak: 100 ms of voice for each word. */
  answers(responseId: string, itemId: string, words: string[]): this {
    this.hear('response.created', { response: { id: responseId } });
    const item = {
      id: itemId,
      type: 'message',
      role: 'assistant',
      status: 'in_progress',
      content: [],
    };
    this.hear('conversation.item.added', { item });
    for (const delta of words) {
      const of = { response_id: responseId, item_id: itemId, content_index: 0 };
      this.hear('response.output_audio_transcript.delta', { ...of, delta });
      this.hear('response.output_audio.delta', { ...of, delta: voice(100) });
    }
    return this;
  }

  ends(responseId: string, status = 'completed', output: object[] = []): this {
    return this.hear('response.done', { response: { id: responseId, status, output } });
  }
}

/** Silence in pcm16. */
export function voice(ms: number): string {
  return Buffer.alloc(ms * 48).toString('base64');
}
