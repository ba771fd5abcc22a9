/** Attributes of a span. Never a secret, nor anything that was said. */
export type SpanFacts = Readonly<Record<string, string | number | undefined>>;

export type Span = {
  /** Identifies this span to another process (W3C Trace Context); undefined without tracing. */
  readonly traceparent: string | undefined;
  end(end?: {
    /** For a name that was not known at the start. */
    readonly name?: string;
    readonly facts?: SpanFacts;
    readonly failed?: boolean;
  }): void;
};

export type SpanStart = {
  /** The traceparent of the parent span; a malformed one counts as none. */
  readonly parent?: string | undefined;
  /** When it began, if not now, in milliseconds since 1970. */
  readonly startedAt?: number;
  readonly facts?: SpanFacts;
};

/**
 * Where spans are sent. Parents are passed explicitly: nothing follows the asynchronous flow, so
 * the relay pays no overhead.
 */
export type Tracing = {
  start(name: string, start?: SpanStart): Span;
  /** Sends the remaining spans. */
  close(): Promise<void>;
};
