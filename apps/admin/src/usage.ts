/** The command was called incorrectly; the message says how to call it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
