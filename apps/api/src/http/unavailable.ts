import { Problem } from '@parley/protocol';

const headers = { 'Retry-After': '5' };

export function databaseUnavailable(cause: unknown): Problem {
  const detail = 'The database cannot be reached. Try again shortly.';
  return new Problem('service-unavailable', detail, { headers, cause });
}

export function storageUnavailable(cause: unknown): Problem {
  const detail = 'The storage of files cannot be reached. Try again shortly.';
  return new Problem('service-unavailable', detail, { headers, cause });
}

export function redisUnavailable(cause?: unknown): Problem {
  const detail = 'The session store cannot be reached. Try again shortly.';
  return new Problem('service-unavailable', detail, { headers, cause });
}
