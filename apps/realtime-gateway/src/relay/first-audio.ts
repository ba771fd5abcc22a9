import type { ClientRoute } from '../core/client-routes.js';
import type { ProviderRoute } from '../core/provider-routes.js';

/** Measures how long a user waits for the agent's voice, from the routes of the frames alone. */
export class FirstAudio {
  readonly #measured: (seconds: number) => void;
  #waitingSince: number | undefined;

  constructor(measured: (seconds: number) => void) {
    this.#measured = measured;
  }

  get isAwaited(): boolean {
    return this.#waitingSince !== undefined;
  }

  fromClient(route: ClientRoute, now: number): void {
    if (route === 'response') this.#waitingSince = now;
  }

  fromProvider(route: ProviderRoute, now: number): void {
    if (route === 'turn') this.#waitingSince = now;
    if (route !== 'audio' || this.#waitingSince === undefined) return;
    this.#measured((now - this.#waitingSince) / 1000);
    this.#waitingSince = undefined;
  }
}
