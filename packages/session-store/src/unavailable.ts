import { Problem } from '@parley/protocol';

export function redisUnavailable(cause?: unknown): Problem {
  const detail = 'The session store cannot be reached. Try again shortly.';
  return new Problem('service-unavailable', detail, { headers: { 'Retry-After': '5' }, cause });
}

/** The result of a Redis call, or the problem that Redis is unavailable. */
export function orUnavailable<T>(asked: Promise<T>): Promise<T> {
  return asked.catch((cause: unknown) => {
    throw redisUnavailable(cause);
  });
}
