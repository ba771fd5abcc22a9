import { Problem } from './errors.js';

/** What is absent, deleted or another organization's gets one and the same answer. */
export function notFound(): Problem {
  return new Problem(
    'not-found',
    'The resource does not exist or is not visible to the organization.',
  );
}

export function found<T>(value: T | undefined): T {
  if (value === undefined) throw notFound();
  return value;
}
