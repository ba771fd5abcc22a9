import { Problem } from './errors.js';

/** The same response for what does not exist, was deleted or belongs to another organization. */
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
