const deepestCause = 3;
const mostErrors = 5;

/**
 * What the log contains of an error: never its other properties, which may hold a whole request or
 * client.
 */
export function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack } = error;
  const code = 'code' in error ? error.code : undefined;
  const inner = depth < deepestCause;
  return {
    type: name,
    message,
    stack,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(inner && error.cause !== undefined ? { cause: describeError(error.cause, depth + 1) } : {}),
    ...(inner && error instanceof AggregateError
      ? { errors: error.errors.slice(0, mostErrors).map((one) => describeError(one, depth + 1)) }
      : {}),
  };
}
