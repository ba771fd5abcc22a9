import type { TimerName } from '../core/session.js';
import { SlidingTimer } from './sliding-timer.js';

/**
 * The timers of one session, by name. Each use of the session postpones the idle timer; the others
 * fire once.
 */
export class SessionTimers {
  readonly #onFired: (timer: TimerName) => void;
  readonly #timers = new Map<TimerName, NodeJS.Timeout>();
  readonly #usedAt: () => number;
  #idle: SlidingTimer | undefined;

  constructor(onFired: (timer: TimerName) => void, usedAt: () => number) {
    this.#onFired = onFired;
    this.#usedAt = usedAt;
  }

  arm(timer: TimerName, milliseconds: number): void {
    const fire = () => this.#onFired(timer);
    this.disarm(timer);
    if (timer === 'idle') this.#idle = new SlidingTimer(milliseconds, fire, this.#usedAt);
    else this.#timers.set(timer, setTimeout(fire, milliseconds));
  }

  disarm(timer: TimerName): void {
    if (timer === 'idle') this.#idle?.stop();
    clearTimeout(this.#timers.get(timer));
    this.#timers.delete(timer);
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#idle?.stop();
  }
}
