/**
 * Why a request failed, as a code such as ENOTFOUND: fetch puts the connection's error into `cause`.
 */
export function failureCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code)) return code;
  return failureCode(error instanceof AggregateError ? error.errors[0] : error.cause);
}
