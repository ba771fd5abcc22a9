/**
 * Fires if nothing has touched it for a while. A touch only stores a number; the timer keeps
 * running and, when due, checks how long ago the last touch was. After a process stalls, its timers
 * fire before pending input is read, so that input is let in before the decision.
 */
export class SlidingTimer {
  readonly #milliseconds: number;
  readonly #onQuiet: () => void;
  readonly #heardAt: () => number;
  #touchedAt = performance.now();
  #timer: NodeJS.Timeout;
  #verdict: NodeJS.Immediate | undefined;

  /** `heardAt` also counts as a touch when the timer is due: for what happens with every frame. */
  constructor(milliseconds: number, onQuiet: () => void, heardAt = () => 0) {
    this.#milliseconds = milliseconds;
    this.#onQuiet = onQuiet;
    this.#heardAt = heardAt;
    this.#timer = setTimeout(this.#look, milliseconds);
  }

  touch(now: number): void {
    this.#touchedAt = now;
  }

  stop(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#verdict);
  }

  readonly #look = (): void => {
    const left = this.#left();
    // Restarts even when it fires: the callback decides whether to stop it.
    this.#timer = setTimeout(this.#look, left > 1 ? left : this.#milliseconds);
    if (left > 1) return;
    this.#verdict = setImmediate(() => {
      if (this.#left() <= 1) this.#onQuiet();
    });
  };

  #left(): number {
    const last = Math.max(this.#touchedAt, this.#heardAt());
    return last + this.#milliseconds - performance.now();
  }
}
