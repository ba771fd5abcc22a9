export type TurnLimits = {
  /** How many may work at a time, in total and per caller. */
  readonly working: number;
  readonly workingEach: number;
  /** How many of one caller may wait; further ones are turned away. */
  readonly waitingEach: number;
  /** How long each of them waits before it is turned away. */
  readonly patienceMs?: number;
};

type Waiter = { readonly begin: (admitted: boolean) => void };
type Caller = { working: number; readonly waiting: Set<Waiter> };

/**
 * Shares a few places among many callers. A free place goes to the caller whose turn is longest
 * ago, so that a caller who queues a thousand tasks delays another by one of them, not by all.
 */
export class Turns {
  readonly #limits: TurnLimits;
  /** Callers that work or wait, in the order of their turns. */
  readonly #callers = new Map<string, Caller>();
  #working = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Runs the work when it is the caller's turn. Undefined if it was turned away. */
  async run<T>(name: string, work: () => Promise<T>): Promise<{ readonly done: T } | undefined> {
    if (!(await this.enter(name))) return undefined;
    try {
      return { done: await work() };
    } finally {
      this.leave(name);
    }
  }

  /** True at once if a place is free. Whoever is admitted leaves in the end. */
  enter(name: string): Promise<boolean> | boolean {
    const caller = this.#callers.get(name) ?? { working: 0, waiting: new Set<Waiter>() };
    this.#callers.set(name, caller);
    if (this.#isFree() && this.#mayWork(caller)) {
      this.#begin(name, caller);
      return true;
    }
    if (caller.waiting.size >= this.#limits.waitingEach) {
      this.#forget(name, caller);
      return false;
    }
    return new Promise((resolve) => this.#wait(name, caller, resolve));
  }

  #wait(name: string, caller: Caller, begin: Waiter['begin']): void {
    const { patienceMs } = this.#limits;
    const timer =
      patienceMs === undefined
        ? undefined
        : setTimeout(() => {
            caller.waiting.delete(waiter);
            this.#forget(name, caller);
            begin(false);
          }, patienceMs);
    const waiter: Waiter = {
      begin(admitted) {
        clearTimeout(timer);
        begin(admitted);
      },
    };
    caller.waiting.add(waiter);
  }

  leave(name: string): void {
    this.#working -= 1;
    const caller = this.#callers.get(name);
    if (!caller) return;
    caller.working -= 1;
    this.#forget(name, caller);
    this.#next();
  }

  #next(): void {
    for (const [name, caller] of this.#callers) {
      const [waiter] = caller.waiting;
      if (!waiter || !this.#mayWork(caller)) continue;
      caller.waiting.delete(waiter);
      this.#begin(name, caller);
      waiter.begin(true);
      return;
    }
  }

  #begin(name: string, caller: Caller): void {
    this.#working += 1;
    caller.working += 1;
    // Its next turn comes after everybody else's.
    this.#callers.delete(name);
    this.#callers.set(name, caller);
  }

  #isFree(): boolean {
    return this.#working < this.#limits.working;
  }

  #mayWork({ working }: Caller): boolean {
    return working < this.#limits.workingEach;
  }

  #forget(name: string, { working, waiting }: Caller): void {
    if (working === 0 && waiting.size === 0) this.#callers.delete(name);
  }
}
