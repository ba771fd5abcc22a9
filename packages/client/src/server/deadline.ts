import { ParleyConnectionError } from './errors.js';

/**
 * Aborts an attempt when its time is up or one of the caller's signals fires, and knows which it
 * was.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #signals: readonly AbortSignal[];
  readonly #ms: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #timedOut = false;

  constructor(ms: number, signals: readonly AbortSignal[]) {
    this.#ms = ms;
    this.#signals = signals;
    for (const signal of signals) {
      if (signal.aborted) this.#abort();
      signal.addEventListener('abort', this.#abort);
    }
    this.restart();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Restarts the clock for the next piece. */
  restart(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timedOut = true;
      this.#controller.abort();
    }, this.#ms);
  }

  /** Stops the clock while the caller handles a piece. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  end(): void {
    clearTimeout(this.#timer);
    for (const signal of this.#signals) signal.removeEventListener('abort', this.#abort);
  }

  /** Why the guarded operation failed. */
  failureOf(error: unknown): ParleyConnectionError {
    if (error instanceof ParleyConnectionError) return error;
    const aborted = this.#signals.find((signal) => signal.aborted);
    if (aborted) return abortedBy(aborted);
    if (this.#timedOut)
      return new ParleyConnectionError(
        'timeout',
        `The service did not respond within ${this.#ms} ms.`,
      );
    return new ParleyConnectionError('lost', `The connection failed: ${messageOf(error)}`, {
      cause: error,
    });
  }

  readonly #abort = (): void => this.#controller.abort();
}

/** Waits, unless one of the signals fires. */
export async function pause(ms: number, signals: readonly AbortSignal[]): Promise<void> {
  const deadline = new Deadline(ms, signals);
  if (!deadline.signal.aborted)
    await new Promise((resolve) => deadline.signal.addEventListener('abort', resolve));
  deadline.end();
  const aborted = signals.find((signal) => signal.aborted);
  if (aborted) throw abortedBy(aborted);
}

/** Node's message is only "fetch failed"; the reason is in the cause. */
function messageOf(error: unknown): string {
  const { cause, message } = error as { cause?: { message?: unknown }; message?: unknown };
  return String(cause?.message ?? message ?? error);
}

function abortedBy(signal: AbortSignal): ParleyConnectionError {
  return new ParleyConnectionError('aborted', 'The signal of the call was aborted.', {
    cause: signal.reason,
  });
}
