import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { HttpMetrics, Logger, Tracing } from '@parley/service-kit';

const acceptableId = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * Assigns the request its id, and writes one log line and one measurement when it ends. Neither
 * contains the query string.
 */
export function observe({
  logger,
  metrics,
  tracing,
}: {
  logger: Logger;
  metrics: HttpMetrics;
  tracing: Tracing;
}): RequestHandler {
  return (request, response, next) => {
    const sent = request.headers['x-request-id'];
    const requestId = typeof sent === 'string' && acceptableId.test(sent) ? sent : randomUUID();
    response.setHeader('X-Request-Id', requestId);
    const { method } = request;
    const parent = request.headers['traceparent'];
    const span = tracing.start(method, { parent: typeof parent === 'string' ? parent : undefined });
    response.locals['traceparent'] = span.traceparent;
    const started = performance.now();
    metrics.inFlight.inc();
    response.once('close', () => {
      // A caller that keeps listening got its response then, and may leave at any time.
      const answeredAt = response.locals['answeredAt'] as number | undefined;
      const ended = performance.now();
      const route = response.locals['route'] as string | undefined;
      const isDone = response.writableFinished || answeredAt !== undefined;
      const status = isDone ? response.statusCode : 499;
      metrics.inFlight.dec();
      const seconds = ((answeredAt ?? ended) - started) / 1000;
      metrics.observe({ method: request.method, route, status, seconds });
      span.end({
        name: `${method} ${route ?? 'unmatched'}`,
        facts: { 'http.request.method': method, 'http.response.status_code': status, requestId },
        failed: status >= 500,
      });
      const { organizationId, keyId, memberId, userId } = response.locals;
      logger.info(
        {
          requestId,
          method: request.method,
          route,
          status,
          ms: Math.round(ended - started),
          organizationId,
          keyId,
          memberId,
          userId,
        },
        'request',
      );
    });
    next();
  };
}
