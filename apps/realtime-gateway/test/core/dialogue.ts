import type { SaidMessage } from '#src/core/ledger.js';
import { clientRoute } from '#src/core/client-routes.js';
import { providerRoute } from '#src/core/provider-routes.js';
import type { Effect, Input, SessionState } from '#src/core/session.js';
import { step } from '#src/core/step.js';
import { running, text } from './settings.js';

export type SentEvent = {
  type: string;
  event_id?: string;
  item?: { type: string; id?: string; call_id?: string; output?: string };
};

export const start = Date.UTC(2026, 0, 1);

/** A session that is told events, one every 10 ms, and remembers what it wanted recorded. */
export class Dialogue {
  state: SessionState = running;
  now = start;
  readonly effects: Effect[] = [];

  provider(type: string, fields: object = {}): this {
    const frame = text({ type, ...fields });
    const route = providerRoute(frame.data, false);
    return this.happens({ kind: 'provider.frame', route, frame, now: (this.now += 10) });
  }

  client(event: object): this {
    const frame = text(event);
    const route = clientRoute(frame.data, false);
    return this.happens({ kind: 'client.frame', route, frame, now: (this.now += 10) });
  }

  happens(input: Input): this {
    const { state, effects } = step(this.state, input);
    this.state = state;
    this.effects.push(...effects);
    return this;
  }

  of<Kind extends Effect['kind']>(kind: Kind): Extract<Effect, { kind: Kind }>[] {
    return this.effects.filter((effect) => effect.kind === kind) as never;
  }

  /** The events that were sent to the provider. */
  get sent(): SentEvent[] {
    return this.of('send_provider').map(({ frame }) => JSON.parse(String(frame.data)) as SentEvent);
  }

  get messages(): SaidMessage[] {
    return this.of('record').map(({ message }) => message);
  }

  /** What the record would read like. */
  get said(): string[] {
    const sorted = [...this.messages].sort((a, b) => a.position - b.position);
    return sorted.map(({ role, content }) => `${role}: ${content}`);
  }
}

export const item = (id: string, role: string, content: object[] = []) => ({
  item: { id, type: 'message', role, status: 'in_progress', content },
});

const sound = [{ type: 'input_audio', transcript: null }];
export const transcribed = 'conversation.item.input_audio_transcription.completed';
export const answered = 'response.output_audio_transcript.done';
export const answer = { item_id: 'a', content_index: 0, response_id: 'r', transcript: 'Hello.' };

/** The user speaks as item u, and the agent begins to answer as item a. */
export const turn = () =>
  new Dialogue()
    .provider('input_audio_buffer.speech_started', { item_id: 'u' })
    .provider('input_audio_buffer.committed', { item_id: 'u', previous_item_id: null })
    .provider('conversation.item.added', { previous_item_id: null, ...item('u', 'user', sound) })
    .provider('conversation.item.added', { previous_item_id: 'u', ...item('a', 'assistant') });

export const typed = (text: string, more: object = {}, place: object = {}) => ({
  type: 'conversation.item.create',
  ...place,
  item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }], ...more },
});
