// What the engine wants done, in order. The shell does it; tests read it.
import type { IdSource } from './ids.js';
import type { Refusal } from './client-events.js';
import type { ServerEvent, ServerEventBodies, ServerEventType } from './server-events.js';

/** A request that was silently ignored: a session keeps the model that it was opened with. */
export type Note = 'model kept';

export type Effect =
  | { type: 'send'; event: ServerEvent }
  | { type: 'send-text'; text: string }
  | { type: 'send-binary'; bytes: number }
  | { type: 'timer'; key: string; ms: number }
  | { type: 'cancel-timer'; key: string }
  | { type: 'close'; code: number; reason: string }
  /** For the log. */
  | { type: 'note'; note: Note }
  | { type: 'drop' }
  /** Drop, and refuse other connections for a while. */
  | { type: 'away'; ms: number }
  | { type: 'hang' };

export class Outbox {
  readonly #ids: IdSource;
  #effects: Effect[] = [];

  constructor(ids: IdSource) {
    this.#ids = ids;
  }

  send<T extends ServerEventType>(type: T, body: ServerEventBodies[T]): void {
    // The spread of a generic body loses the link between its type and its name.
    const event = { type, event_id: this.#ids.next('event'), ...body } as unknown as ServerEvent;
    this.#effects.push({ type: 'send', event });
  }

  refuse({ code, message, param, eventId }: Refusal): void {
    const type = 'invalid_request_error';
    this.send('error', { error: { type, code, message, param, event_id: eventId } });
  }

  add(effect: Effect): void {
    this.#effects.push(effect);
  }

  take(): Effect[] {
    const taken = this.#effects;
    this.#effects = [];
    return taken;
  }
}
