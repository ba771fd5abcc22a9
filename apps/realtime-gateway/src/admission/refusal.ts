import {
  closeCodes,
  Problem,
  RealtimeError,
  realtimeErrors,
  quotas,
  type CloseName,
  type ProblemCode,
  type QuotaName,
  type RealtimeErrorCode,
} from '@parley/protocol';

/** Why a client is not admitted: the response, and the label for the metrics. */
export type Refusal = {
  readonly kind: 'refused';
  readonly reason: string;
  readonly error: Problem | RealtimeError;
  /**
   * How to close the socket of a client that cannot read an HTTP response; undefined if the socket
   * is not opened.
   */
  readonly close?: CloseName;
};

const retryAfterSeconds = 5;

export function refuseSession(errorCode: RealtimeErrorCode, detail?: string): Refusal {
  const error = new RealtimeError(errorCode, detail ?? realtimeErrors[errorCode].doc);
  const close = Object.hasOwn(closeCodes, errorCode)
    ? (errorCode as CloseName)
    : 'RealtimeSessionInvalid';
  return { kind: 'refused', reason: errorCode, error, close };
}

export function refuseRequest(
  code: ProblemCode,
  detail: string,
  headers: Record<string, string> = {},
): Refusal {
  return { kind: 'refused', reason: code, error: new Problem(code, detail, { headers }) };
}

/** Why an upgrade is answered with 503. */
export const unavailabilities = [
  'draining',
  'full',
  'store-unavailable',
  'owner-unreachable',
] as const;

export function unavailable(reason: (typeof unavailabilities)[number]): Refusal {
  const detail =
    reason === 'owner-unreachable'
      ? 'The instance that has the session cannot be reached at the moment. Try again.'
      : 'No session can be opened here at the moment. Create a new one and try again.';
  const headers = { 'Retry-After': String(retryAfterSeconds) };
  return { ...refuseRequest('service-unavailable', detail, headers), reason };
}

export function tooManyFailures(seconds: number): Refusal {
  const detail = `Too many upgrades from your address had a wrong token. Wait ${seconds} s.`;
  return refuseRequest('rate-limited', detail, { 'Retry-After': String(seconds) });
}

export function quotaReached(quota: QuotaName): Refusal {
  const { retryAfterSeconds } = quotas[quota];
  const error = new Problem('quota-reached', `The organization has reached its quota ${quota}.`, {
    quota,
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
  return { kind: 'refused', reason: 'quota-reached', error, close: 'QuotaReached' };
}
