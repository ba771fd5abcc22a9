import type { RawEvent } from '#src/index.js';
import { Playing } from './playing.js';

/** What can happen next; `service` is a `response.create` of the service's own. */
export const actions = [
  ...(['write', 'interrupt', 'hold', 'release'] as const),
  ...(['service', 'arrive', 'hear', 'end', 'refuse early'] as const),
] as const;
type Action = (typeof actions)[number];

type Response = { readonly id: string; readonly knows: number };

/**
 * A client and a provider with a network between them, which delays both directions, and a service
 * that asks for responses of its own.
 */
export class CollidingService {
  readonly client = new Playing();
  readonly #toProvider: RawEvent[] = [];
  readonly #toClient: RawEvent[] = [];
  #written = 0;
  #interrupted = 0;
  #taken = 0;
  #responses = 0;
  #active: Response | undefined;
  /** The provider announces a response only after it has refused another. */
  #unannounced: RawEvent | undefined;
  /** How many texts the last response knew that was not cancelled. */
  answered = 0;
  refusals = 0;

  get written(): number {
    return this.#written;
  }

  /** Whether the last text was not interrupted. */
  get isWanted(): boolean {
    return this.#written > this.#interrupted;
  }

  act(action: Action): void {
    switch (action) {
      case 'write':
        this.#written += 1;
        this.client.take({ kind: 'text', text: `Text ${this.#written}`, heard: undefined });
        break;
      case 'interrupt':
        this.#interrupted = this.#written;
        this.client.take({ kind: 'interrupt', heard: undefined });
        break;
      case 'hold':
        this.#interrupted = this.#written;
        this.client.take({ kind: 'talking', talking: true });
        break;
      case 'release':
        this.client.take({ kind: 'talking', talking: false });
        break;
      case 'service':
        if (!this.#active) this.#create();
        break;
      case 'arrive':
        this.#arrive();
        break;
      case 'hear':
        this.#hear();
        break;
      case 'end':
        this.#end('completed');
        break;
      case 'refuse early':
        if (!this.#active) this.#create({ isLate: true });
        break;
    }
    for (const event of this.client.sent) this.#toProvider.push(event);
    this.client.effects = [];
  }

  /** Until nothing is under way and nobody speaks. */
  settle(): void {
    this.act('release');
    for (let n = 0; n < 1000; n += 1) {
      if (this.#toProvider.length > 0) this.act('arrive');
      else if (this.#toClient.length > 0) this.act('hear');
      else if (this.#active) this.act('end');
      else return;
    }
    throw new Error('It never ends.');
  }

  #arrive(): void {
    const event = this.#toProvider.shift();
    if (event?.type === 'conversation.item.create') this.#taken += 1;
    if (event?.type === 'response.create') this.#create();
    if (event?.type === 'response.cancel' && this.#active?.id === event['response_id'])
      this.#end('cancelled');
  }

  #create({ isLate = false } = {}): void {
    if (this.#active) {
      this.refusals += 1;
      this.#toClient.push({
        type: 'error',
        error: { code: 'conversation_already_has_active_response', message: 'busy' },
      });
      this.#announce();
      return;
    }
    this.#responses += 1;
    this.#active = { id: `r${this.#responses}`, knows: this.#taken };
    this.#unannounced = { type: 'response.created', response: { id: this.#active.id } };
    if (!isLate) this.#announce();
  }

  #announce(): void {
    if (this.#unannounced) this.#toClient.push(this.#unannounced);
    this.#unannounced = undefined;
  }

  #end(status: 'completed' | 'cancelled'): void {
    if (!this.#active) return;
    this.#announce();
    const { id, knows } = this.#active;
    if (status === 'completed') this.answered = knows;
    this.#toClient.push({ type: 'response.done', response: { id, status, output: [] } });
    this.#active = undefined;
  }

  #hear(): void {
    const event = this.#toClient.shift();
    if (event) this.client.hear(event.type, event);
  }
}
