import type { ConnectionFailure } from './errors.js';
import type { Verb } from './method.js';

/** How an attempt failed. */
export type Failure = {
  /** Undefined if there was no response. */
  readonly status?: number;
  readonly errorCode?: string | undefined;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
  readonly reason?: ConnectionFailure;
};

export type Situation = {
  readonly verb: Verb;
  /** Headers of the request, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly failure: Failure;
  /** Including this one. */
  readonly attempts: number;
  readonly maxRetries: number;
  /** An earlier attempt may have succeeded. */
  readonly uncertain: boolean;
  /** From 0 to 1. */
  readonly random: number;
};

/** `done`: an earlier attempt succeeded, but its response was lost. */
export type Decision =
  | { readonly do: 'repeat'; readonly afterMs: number }
  | { readonly do: 'fail' }
  | { readonly do: 'done' };

const first = 500;
const longest = 8000;
/** If the service asks for a longer wait, fail instead of hanging. */
const longestRetryAfter = 60_000;

export function decideRetry(situation: Situation): Decision {
  const { verb, failure, attempts, maxRetries, uncertain, random } = situation;
  if (verb === 'DELETE' && failure.status === 404 && uncertain) return { do: 'done' };
  if (attempts > maxRetries || !isPassing(failure) || !isSafe(situation)) return { do: 'fail' };
  const asked = (failure.retryAfter ?? 0) * 1000;
  if (asked > longestRetryAfter) return { do: 'fail' };
  return { do: 'repeat', afterMs: Math.max(asked, backoffMs(attempts, random)) };
}

/** Doubles each time, with jitter so that many clients do not retry at once. */
export function backoffMs(attempts: number, random: number): number {
  return Math.min(first * 2 ** (attempts - 1), longest) * (0.5 + random / 2);
}

/** Whether the service may have carried out the request. */
export function isUncertain({ status }: Failure): boolean {
  return status === undefined || status === 408 || status === 502 || status === 504;
}

/** Whether the failure may be over by the next attempt. */
function isPassing({ status, errorCode, reason }: Failure): boolean {
  switch (status) {
    case undefined:
      return reason === 'lost' || reason === 'timeout';
    case 408:
    case 429:
    case 503:
    case 504:
      return true;
    case 409:
      return errorCode === 'idempotency-in-progress';
    case 502:
      // The same key would return the same failure: only a new question calls the model again.
      return errorCode !== 'provider-unavailable';
    default:
      return false;
  }
}

/**
 * Whether a retry cannot execute anything twice. A POST has an idempotency key. GET, PUT and DELETE
 * are idempotent. The response of a PATCH may contain something that is shown once, such as a
 * webhook's new secret: without If-Match, it is repeated only if the service refused it before it
 * began.
 */
function isSafe({ verb, headers, failure }: Situation): boolean {
  switch (verb) {
    case 'GET':
    case 'PUT':
    case 'DELETE':
      return true;
    case 'POST':
      return headers['idempotency-key'] !== undefined;
    case 'PATCH':
      return headers['if-match'] !== undefined || failure.status === 429 || failure.status === 503;
  }
}
