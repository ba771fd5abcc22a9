import { Problem } from '@parley/protocol';

export function redisUnavailable(cause?: unknown): Problem {
  const detail = 'The session store cannot be reached. Try again shortly.';
  return new Problem('service-unavailable', detail, { headers: { 'Retry-After': '5' }, cause });
}

/** What was asked of Redis, or the answer that it cannot be asked now. */
export function orUnavailable<T>(asked: Promise<T>): Promise<T> {
  return asked.catch((cause: unknown) => {
    throw redisUnavailable(cause);
  });
}
