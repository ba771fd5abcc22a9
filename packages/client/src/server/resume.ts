import { ParleyConnectionError } from './errors.js';

export type Resume<T> = {
  /** Called again after the stream broke; resumes where the last one ended. */
  readonly open: () => Promise<AsyncIterable<T>>;
  readonly maxRetries: number;
  readonly backOff: (failures: number) => Promise<void>;
};

/**
 * A stream that survives broken connections. It gives up after several failures in a row without
 * any data.
 */
export async function* resumed<T>({ open, maxRetries, backOff }: Resume<T>): AsyncGenerator<T> {
  let failures = 0;
  for (;;) {
    const stream = await open();
    try {
      for await (const item of stream) {
        failures = 0;
        yield item;
      }
      return;
    } catch (error) {
      failures += 1;
      if (!isBroken(error) || failures > maxRetries) throw error;
    }
    await backOff(failures);
  }
}

function isBroken(error: unknown): boolean {
  return (
    error instanceof ParleyConnectionError &&
    (error.reason === 'lost' || error.reason === 'timeout')
  );
}
