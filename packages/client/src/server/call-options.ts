/** Options that every method takes as its last argument. */
export type CallOptions = {
  /** Cancels the call, including its retries. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Timeout of each attempt, in milliseconds; for a stream, the longest silence between two pieces.
   * Defaults to the client's setting: 60 seconds, and 150 for a question, because the service
   * responds after at most 120.
   */
  readonly timeoutMs?: number | undefined;
  /** How often a failed attempt is retried. Defaults to the client's setting, which is 2. */
  readonly maxRetries?: number | undefined;
};

/** Options of methods that create or trigger something. */
export type PostOptions = CallOptions & {
  /**
   * Identifies the operation, so that it is executed once however often it is sent. By default,
   * each call gets a new key. Pass your own, such as the id of an order, to repeat a call safely
   * after your process restarts.
   */
  readonly idempotencyKey?: string | undefined;
};

/** Options for listening to events. */
export type ListenOptions = CallOptions & {
  /**
   * The `id` of the last event that you handled, possibly before your process restarted. Listening
   * resumes after it.
   */
  readonly lastEventId?: string | undefined;
};

/** Options of methods that change a resource with an ETag. */
export type ChangeOptions = CallOptions & {
  /**
   * Only apply the change if the resource still has this ETag, `headersOf(agent).get('etag')`.
   * Otherwise the call fails with `precondition-failed`.
   */
  readonly ifMatch?: string | undefined;
};
