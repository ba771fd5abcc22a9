import { scrub } from './redaction.js';
import { StartupError } from './startup-error.js';

type Terminal = {
  readonly write: (text: string) => void;
  readonly exit: (code: number) => void;
};

const terminal: Terminal = {
  write: (text) => void process.stderr.write(text),
  exit: (code) => process.exit(code),
};

/**
 * Ends a main program that cannot start: problems that the operator can fix are reported in plain
 * words, bugs with their stack.
 */
export function reportStartupFailure(
  error: unknown,
  options: Partial<Terminal> & { readonly code?: number } = {},
): void {
  const { write, exit, code = 1 } = { ...terminal, ...options };
  write(`${scrub(describe(error))}\n`);
  exit(code);
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof StartupError) return error.message;
  return error.stack ?? `${error.name}: ${error.message}`;
}
