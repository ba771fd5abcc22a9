/** What every method takes last. */
export type CallOptions = {
  /** Ends the call, its retries included. */
  readonly signal?: AbortSignal | undefined;
  /**
   * For each attempt, in milliseconds; what is read piece by piece may be silent for so long. The client's own by default: 60 seconds, and 150 for a
   * question, which the service itself answers after 120.
   */
  readonly timeoutMs?: number | undefined;
  /** How often a failed attempt is repeated; the client's own by default, which is 2. */
  readonly maxRetries?: number | undefined;
};

/** What methods take that create or do something. */
export type PostOptions = CallOptions & {
  /**
   * Names what is asked for, so that it is done once however often it is sent. Each call has a new one by default. Pass your own, such as the
   * id of an order, to repeat a call after your process was restarted.
   */
  readonly idempotencyKey?: string | undefined;
};

/** What listening takes. */
export type ListenOptions = CallOptions & {
  /** The `id` of the last event that you dealt with, perhaps before your process was restarted: listening goes on after it. */
  readonly lastEventId?: string | undefined;
};

/** What methods take that change something with an ETag. */
export type ChangeOptions = CallOptions & {
  /** Change it only if it still has this ETag, `headersOf(agent).get('etag')`. Otherwise the call fails with `precondition-failed`. */
  readonly ifMatch?: string | undefined;
};
