/** A reason not to start that the operator can act on; its message says all there is to say. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
