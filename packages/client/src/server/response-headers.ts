const known = new WeakMap<object, Headers>();

export function noteHeaders<T>(answer: T, headers: Headers): T {
  if (typeof answer === 'object' && answer !== null) known.set(answer, headers);
  return answer;
}

/**
 * The HTTP headers that came with what a method has returned: `etag` for `ifMatch`, `x-request-id` for a report, `idempotent-replayed`. There are
 * none for an item of a list, nor for a copy.
 */
export function headersOf(answer: object): Headers {
  return known.get(answer) ?? new Headers();
}
