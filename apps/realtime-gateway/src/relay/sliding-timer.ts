/**
 * Fires when nothing has touched it for a while. A touch only stores a number; the
 * timer itself runs on and looks, when it is due, how long ago the last touch was. After a process has stood still, its timers
 * come before what has arrived meanwhile, so that is let in before the verdict.
 */
export class SlidingTimer {
  readonly #milliseconds: number;
  readonly #onQuiet: () => void;
  readonly #heardAt: () => number;
  #touchedAt = performance.now();
  #timer: NodeJS.Timeout;
  #verdict: NodeJS.Immediate | undefined;

  /** `heardAt` is looked at as well when the timer is due: for what happens with every frame. */
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
    // Also restarted when it fires: whoever is told decides whether to stop it.
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
