const known = new WeakMap<object, Headers>();

export function noteHeaders<T>(answer: T, headers: Headers): T {
  if (typeof answer === 'object' && answer !== null) known.set(answer, headers);
  return answer;
}

/**
 * The HTTP headers of the response that a method returned: `etag` for `ifMatch`, `x-request-id` for
 * a bug report, `idempotent-replayed`. List items and copies have none.
 */
export function headersOf(answer: object): Headers {
  return known.get(answer) ?? new Headers();
}
