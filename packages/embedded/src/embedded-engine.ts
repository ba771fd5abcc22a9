/** A server that this process started (or found running), listening only on loopback. */
export type EmbeddedServer = {
  readonly url: string;
  /** Idempotent. Resolves when the server has exited. */
  stop(): Promise<void>;
};

/** An embedded engine cannot start or has died; the message is one line for the operator. */
export class EmbeddedEngineError extends Error {
  override readonly name: string = 'EmbeddedEngineError';
}
