/** Time, and the event of a page that the network is back. */
export type Surroundings = {
  now(): number;
  /** Returns a function that stops it. */
  every(ms: number, look: () => void): () => void;
  onOnline(listener: () => void): () => void;
};

const real: Surroundings = {
  now: () => Date.now(),
  every(ms, look) {
    const timer = setInterval(look, ms);
    return () => clearInterval(timer);
  },
  onOnline(listener) {
    // Node has no such events.
    const page: Partial<Pick<Window, 'addEventListener' | 'removeEventListener'>> = globalThis;
    page.addEventListener?.('online', listener);
    return () => page.removeEventListener?.('online', listener);
  },
};

type Watched = {
  /** Whether nothing is lost if the session goes on with another connection. */
  isResumable(): boolean;
  /** Asks the service for `session.acknowledged`. */
  ask(): void;
  onDead(): void;
};

const lookEveryMs = 4000;
/** How long the service may take to answer. */
const patienceMs = 8000;
/** How long nothing may arrive before the service is asked, if nothing was sent either. */
const quietMs = 15_000;
/** The service pings every 20 seconds. */
const pinglessMs = 45_000;
/** Looks further apart than this: the computer slept, or the page was frozen. */
const lateMs = 20_000;

/**
 * Notices that a connection is dead although nobody closed it: when a network is left or a laptop
 * sleeps, sockets are not told for minutes. A service that has never answered is an older one, and
 * is not judged by its answers. Only Node shows pings.
 */
export class Liveness {
  readonly #watched: Watched;
  readonly #surroundings: Surroundings;
  readonly #endings: (() => void)[];
  #lookedAt: number;
  #heardAt: number;
  /** When the service was asked and has not answered. */
  #askedAt: number | undefined;
  #answers = false;
  #pings = false;
  /** Whether anything was sent after the last message arrived. */
  #waits = false;

  constructor(watched: Watched, surroundings: Surroundings = real) {
    this.#watched = watched;
    this.#surroundings = surroundings;
    this.#lookedAt = this.#heardAt = surroundings.now();
    this.#endings = [
      surroundings.every(lookEveryMs, () => this.#look()),
      surroundings.onOnline(() => {
        if (watched.isResumable()) this.#die();
      }),
    ];
  }

  sent(): void {
    this.#waits = true;
  }

  heard(): void {
    this.#heardAt = this.#surroundings.now();
    this.#waits = false;
    if (this.#answers) this.#askedAt = undefined;
  }

  answered(): void {
    this.#answers = true;
    this.heard();
  }

  pinged(): void {
    this.#pings = true;
    this.#heardAt = this.#surroundings.now();
  }

  stop(): void {
    for (const end of this.#endings) end();
  }

  #look(): void {
    const now = this.#surroundings.now();
    const isLate = now - this.#lookedAt > lateMs;
    this.#lookedAt = now;
    // What has arrived meanwhile may not have been read yet.
    if (isLate) {
      this.#heardAt = now;
      this.#ask(now);
      return;
    }
    const silence = now - this.#heardAt;
    const isUnanswered = this.#answers && now - (this.#askedAt ?? now) >= patienceMs;
    const isPingless = this.#pings && silence >= pinglessMs;
    if (isUnanswered || isPingless) this.#die();
    else if (this.#askedAt === undefined && (this.#waits || silence >= quietMs || !this.#answers))
      this.#ask(now);
  }

  #ask(now: number): void {
    if (!this.#watched.isResumable()) return;
    this.#askedAt = now;
    this.#watched.ask();
  }

  #die(): void {
    this.stop();
    this.#watched.onDead();
  }
}
