import { Problem } from '@parley/protocol';

export { orUnavailable, redisUnavailable } from '@parley/session-store';

const headers = { 'Retry-After': '5' };

export function databaseUnavailable(cause: unknown): Problem {
  const detail = 'The database is unavailable. Try again shortly.';
  return new Problem('service-unavailable', detail, { headers, cause });
}

export function storageUnavailable(cause: unknown): Problem {
  const detail = 'The file storage is unavailable. Try again shortly.';
  return new Problem('service-unavailable', detail, { headers, cause });
}
