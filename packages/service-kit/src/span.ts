/** Facts about a span. Never a secret, nor anything that was said. */
export type SpanFacts = Readonly<Record<string, string | number | undefined>>;

export type Span = {
  /** Names this span to another process (W3C Trace Context); nothing when nobody traces. */
  readonly traceparent: string | undefined;
  end(end?: {
    /** For a name that was not known before. */
    readonly name?: string;
    readonly facts?: SpanFacts;
    readonly failed?: boolean;
  }): void;
};

export type SpanStart = {
  /** The traceparent of the span that this one is part of; one that is malformed counts as none. */
  readonly parent?: string | undefined;
  /** When it began, if not now, in milliseconds since 1970. */
  readonly startedAt?: number;
  readonly facts?: SpanFacts;
};

/** Where spans go. Parents are passed by hand: nothing follows the asynchronous flow, so nothing costs the relay. */
export type Tracing = {
  start(name: string, start?: SpanStart): Span;
  /** Sends what is left. */
  close(): Promise<void>;
};
