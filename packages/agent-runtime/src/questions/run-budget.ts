export type BudgetLimits = {
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly milliseconds: number;
};

/** What one question has used, including its sub-agents. A plain value, stored with its run. */
export type Spent = BudgetLimits;

/**
 * The budget of one question, or of one sub-agent call in a session, however many agents it asks.
 * The last model call is reserved for the leading agent, so that it can answer with what it has.
 */
export class RunBudget {
  readonly #limits: BudgetLimits;
  readonly #now: () => number;
  #modelCalls = 0;
  #toolCalls = 0;
  #beganAt: number;

  static readonly usedUp = 'The budget of this question is used up.';

  constructor(limits: BudgetLimits, now = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
    this.#beganAt = now();
  }

  get spent(): Spent {
    const milliseconds = Math.round(this.#now() - this.#beganAt);
    return { modelCalls: this.#modelCalls, toolCalls: this.#toolCalls, milliseconds };
  }

  /**
   * What was used before, in another process. The time that a person took to decide does not count.
   */
  resume(spent: Spent | undefined): void {
    if (!spent) return;
    this.#modelCalls = Math.max(this.#modelCalls, spent.modelCalls);
    this.#toolCalls = Math.max(this.#toolCalls, spent.toolCalls);
    this.#beganAt = Math.min(this.#beganAt, this.#now() - spent.milliseconds);
  }

  /**
   * Whether the model may be called: with its tools, for the last time without them, or not at all.
   */
  takeModelCall(leads: boolean): 'yes' | 'last' | 'no' {
    const left = this.#limits.modelCalls - this.#modelCalls;
    const isLast = left <= 1 || this.#isLate();
    if (isLast && !leads) return 'no';
    this.#modelCalls += 1;
    return isLast ? 'last' : 'yes';
  }

  takeToolCall(): boolean {
    if (this.#toolCalls >= this.#limits.toolCalls || this.#isLate()) return false;
    this.#toolCalls += 1;
    return true;
  }

  #isLate(): boolean {
    return this.#now() - this.#beganAt >= this.#limits.milliseconds;
  }
}
