import type { Logger } from 'pino';
import type { Lifecycle } from './lifecycle.js';
import type { Span, Tracing } from './span.js';

const noSpan: Span = { traceparent: undefined, end: () => undefined };

export const noTracing: Tracing = { start: () => noSpan, close: () => Promise.resolve() };

/** OpenTelemetry is loaded only if a collector is configured. */
export async function openTracing(options: {
  readonly app: string;
  readonly endpoint: string | undefined;
  readonly lifecycle: Pick<Lifecycle, 'add'>;
  readonly logger: Pick<Logger, 'warn'>;
}): Promise<Tracing> {
  const { app, endpoint, lifecycle, logger } = options;
  if (endpoint === undefined) return noTracing;
  const { otlpTracing } = await import('./otlp-tracing.js');
  const onLost = (err: Error) => logger.warn({ err }, 'traces lost');
  const tracing = otlpTracing({ app, endpoint, onLost });
  lifecycle.add('traces', () => tracing.close());
  return tracing;
}
