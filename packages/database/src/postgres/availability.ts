/**
 * SQLSTATE classes and socket errors that mean that PostgreSQL cannot be reached, did not respond
 * in time or refuses connections, as opposed to a bug in a query.
 */
const sqlStates = /^(08|28|3D000|53|55P03|57014|57P0[1-5]|25006|25P03|40001|40P01)/;
const socketErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
]);
const certificateErrors = /^(CERT_|DEPTH_ZERO_|ERR_SSL_|ERR_TLS_|SELF_SIGNED_|UNABLE_TO_)/;
const poolMessages =
  /does not support SSL|timeout exceeded when trying to connect|Connection terminated|Query read timeout|connection error/i;

export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.some(isDatabaseUnavailable)) return true;
  const code = (error as { code?: unknown }).code;
  const codes = [sqlStates, certificateErrors];
  if (typeof code === 'string' && (socketErrors.has(code) || codes.some((one) => one.test(code))))
    return true;
  return poolMessages.test(error.message);
}

/** Whether PostgreSQL cancelled one statement because it took too long; others may succeed. */
export function isStatementTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === '57014';
}

/**
 * Messages of a server that is there but misconfigured: no TLS, or PgBouncer without our startup
 * parameters.
 */
const wrongMessages = /does not support SSL|unsupported startup parameter/;

/** Whether waiting may help: a wrong password, name or certificate does not mend itself. */
export function isDatabaseAway(error: unknown): boolean {
  if (!isDatabaseUnavailable(error)) return false;
  const { code, message } = error as Error & { code?: string };
  const wrong = [/^(28|3D000)/, certificateErrors];
  return !wrong.some((one) => one.test(code ?? '')) && !wrongMessages.test(message);
}

/** The constraint that an insert or update violated, by name. */
export function violatedConstraint(error: unknown): string | undefined {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  const integrity = typeof code === 'string' && code.startsWith('23');
  return integrity && typeof constraint === 'string' ? constraint : undefined;
}
