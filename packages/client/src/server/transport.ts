import { Deadline, pause } from './deadline.js';
import { ParleyApiError, ParleyConnectionError } from './errors.js';
import type { Verb } from './method.js';
import { readRefusal } from './read-refusal.js';
import { backoffMs, decideRetry, isUncertain, type Failure } from './retry.js';

/** A request, which may be sent more than once. */
export type ApiRequest = {
  readonly verb: Verb;
  /** Relative to the service's address, including the query. */
  readonly path: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData | undefined;
  readonly limits: Limits;
};

export type Limits = {
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly signals: readonly AbortSignal[];
};

export type TransportOptions = {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly organizationId: string;
  readonly fetch: typeof fetch;
  /** Replaced in tests, which do not wait. */
  readonly pause?: typeof pause;
};

/**
 * Reads a response within its deadline. A reader that continues afterwards ends the deadline
 * itself.
 */
export type Read<T> = (response: Response, deadline: Deadline) => Promise<Reading<T>>;
export type Reading<T> = { readonly value: T; readonly goesOn?: true };

/** Sends requests, and retries them where that can help and executes nothing twice. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #pause: typeof pause;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#pause = options.pause ?? pause;
  }

  async send<T>(request: ApiRequest, read: Read<T>): Promise<T> {
    const { verb, headers, limits } = request;
    let uncertain = false;
    for (let attempts = 1; ; attempts += 1) {
      const result = await this.#attempt(request, read);
      if ('value' in result) return result.value;
      const { failure, errorAfter } = result;
      const situation = { verb, headers, failure, attempts, uncertain, random: Math.random() };
      const decision = decideRetry({ ...situation, maxRetries: limits.maxRetries });
      // Only a DELETE can be done without a response, and it returns nothing.
      if (decision.do === 'done') return undefined as T;
      if (decision.do === 'fail') throw errorAfter(attempts);
      uncertain ||= isUncertain(failure);
      await this.#pause(decision.afterMs, limits.signals);
    }
  }

  /** Waits before a broken stream is opened again. */
  backOff(failures: number, { signals }: Limits): Promise<void> {
    return this.#pause(backoffMs(failures, Math.random()), signals);
  }

  /** Some proxies echo the headers of the request. */
  #withoutKey(text: string): string {
    return text.replaceAll(this.#options.apiKey, '[redacted]');
  }

  async #attempt<T>(request: ApiRequest, read: Read<T>): Promise<Attempt<T>> {
    const { verb, path, body, limits } = request;
    const { baseUrl, apiKey, organizationId, fetch } = this.#options;
    const deadline = new Deadline(limits.timeoutMs, limits.signals);
    let goesOn = false;
    try {
      deadline.signal.throwIfAborted();
      const response = await fetch(`${baseUrl}${path}`, {
        method: verb,
        headers: { 'x-api-key': apiKey, 'x-org-id': organizationId, ...request.headers },
        ...(body !== undefined && { body }),
        signal: deadline.signal,
        // The key must not be sent to another address.
        redirect: 'manual',
      });
      if (!response.ok) return refused(response, this.#withoutKey(await response.text()));
      const reading = await read(response, deadline);
      goesOn = reading.goesOn === true;
      return { value: reading.value };
    } catch (error) {
      if (error instanceof ParleyApiError) throw error;
      return lost(deadline.failureOf(error));
    } finally {
      if (!goesOn) deadline.end();
    }
  }
}

type Attempt<T> =
  | { readonly value: T }
  | { readonly failure: Failure; readonly errorAfter: (attempts: number) => Error };

function refused(response: Response, body: string): Attempt<never> {
  const refusal = readRefusal(response, body, Date.now());
  const errorAfter = (attempts: number) => new ParleyApiError(refusal, attempts);
  return { failure: refusal, errorAfter };
}

function lost({ reason, message, cause }: ParleyConnectionError): Attempt<never> {
  const errorAfter = (attempts: number) =>
    new ParleyConnectionError(reason, message, { attempts, cause });
  return { failure: { reason }, errorAfter };
}
