/** A reason not to start that the operator can act on; the message is complete. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

/** Reports an unreachable server by the name of the variable that configures it. */
export function unusableSetting(setting: string, cause: unknown): StartupError {
  const hint = isUntrusted(cause) ? '; for a private CA, set NODE_EXTRA_CA_CERTS' : '';
  return new StartupError(`${setting} cannot be used: ${reasonOf(cause)}${hint}`, { cause });
}

/** The same, for a promise's catch. */
export function unusable(setting: string): (cause: unknown) => never {
  return (cause) => {
    throw unusableSetting(setting, cause);
  };
}

/** Runs `make`, and adds the setting's name to any error. */
export function fromSetting<T>(setting: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw unusableSetting(setting, error);
  }
}

/** A host with several addresses fails with one error for each, and no message of its own. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === '')
    return cause.errors.map(reasonOf).join('; ');
  return cause instanceof Error ? cause.message : String(cause);
}

/** Whether a certificate is not signed by a CA that Node knows. */
function isUntrusted(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  const { code } = cause as { code?: unknown };
  const untrusted = /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_)/;
  return (typeof code === 'string' && untrusted.test(code)) || isUntrusted(cause.cause);
}
