/** A server that this process started (or found running) and that listens on loopback only. */
export interface EmbeddedServer {
  readonly url: string;
  /** Idempotent. Resolves when the server is gone. */
  stop(): Promise<void>;
}

/** An embedded engine cannot start or has died; the message is one line for the operator. */
export class EmbeddedEngineError extends Error {
  override readonly name: string = 'EmbeddedEngineError';
}
