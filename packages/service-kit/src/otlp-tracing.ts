import { setTimeout } from 'node:timers/promises';
import {
  isValidSpanId,
  isValidTraceId,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Context,
  type Span as OtelSpan,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace';
import type { Span, SpanFacts, Tracing } from './span.js';

const traceparentPattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

export type OtlpOptions = {
  readonly app: string;
  readonly endpoint: string;
  /** Called with the first error after the start or after spans were accepted. */
  readonly onLost: (error: Error) => void;
  /** How long a stopping process waits for the collector, which is tried for longer otherwise. */
  readonly closeMs?: number;
};

/**
 * Sends spans to a collector over OTLP/HTTP, in the background; if it does not respond, they are
 * lost.
 */
export function otlpTracing(options: OtlpOptions): Tracing {
  const { app, endpoint, onLost, closeMs = 2_000 } = options;
  const exporter = watched(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }), onLost);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `parley-${app}` }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('parley');
  return {
    start(name, { parent, startedAt, facts = {} } = {}) {
      const options = {
        attributes: known(facts),
        ...(startedAt !== undefined && { startTime: startedAt }),
      };
      return spanOf(tracer.startSpan(name, options, contextOf(parent)));
    },
    async close() {
      const sent = provider.shutdown().catch(() => 'lost, which onLost has reported');
      await Promise.race([sent, setTimeout(closeMs, undefined, { ref: false })]);
    },
  };
}

function watched(exporter: SpanExporter, onLost: OtlpOptions['onLost']): SpanExporter {
  let isLosing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error && !isLosing) onLost(result.error);
        isLosing = result.error !== undefined;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

function spanOf(span: OtelSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    end({ name, facts = {}, failed = false } = {}) {
      if (name !== undefined) span.updateName(name);
      span.setAttributes(known(facts));
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

function contextOf(traceparent: string | undefined): Context {
  const [, traceId = '', spanId = '', flags = ''] =
    traceparentPattern.exec(traceparent ?? '') ?? [];
  if (!isValidTraceId(traceId) || !isValidSpanId(spanId)) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16);
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function known(facts: SpanFacts): Record<string, string | number> {
  const entries = Object.entries(facts).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Record<string, string | number>;
}
