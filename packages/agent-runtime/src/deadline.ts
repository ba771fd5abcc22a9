/**
 * Aborts when the time is up, also if nothing but `AbortSignal.any` refers to it: Node 20 forgets an
 * `AbortSignal.timeout` that has no listener of its own.
 */
export function deadline(milliseconds: number): AbortSignal {
  const signal = AbortSignal.timeout(milliseconds);
  signal.addEventListener('abort', () => undefined, { once: true });
  return signal;
}
