import { Deadline, pause } from './deadline.js';
import { ParleyApiError, ParleyConnectionError } from './errors.js';
import type { Verb } from './method.js';
import { readRefusal } from './read-refusal.js';
import { backoffMs, decide, isUncertain, type Failure } from './retry.js';

/** A request as it is sent, as often as it takes. */
export type ApiRequest = {
  readonly verb: Verb;
  /** With its query, under the address of the service. */
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
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly organizationId: string;
  readonly fetch: typeof fetch;
  /** Tests do not wait. */
  readonly pause?: typeof pause;
};

/** Reads an answer while its deadline runs. Who goes on reading ends the deadline. */
export type Read<T> = (response: Response, deadline: Deadline) => Promise<Reading<T>>;
export type Reading<T> = { readonly value: T; readonly goesOn?: true };

/** Sends requests, and sends them again where that can help and does nothing twice. */
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
      const decision = decide({ ...situation, maxRetries: limits.maxRetries });
      // Only a DELETE is done without an answer, and it has none to give.
      if (decision.do === 'done') return undefined as T;
      if (decision.do === 'fail') throw errorAfter(attempts);
      uncertain ||= isUncertain(failure);
      await this.#pause(decision.afterMs, limits.signals);
    }
  }

  /** Before a stream that broke off is opened again. */
  backOff(failures: number, { signals }: Limits): Promise<void> {
    return this.#pause(backoffMs(failures, Math.random()), signals);
  }

  /** Some proxies show the headers that they got. */
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
        // Where another address is named, the key must not follow.
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
