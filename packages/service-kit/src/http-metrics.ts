import { METHODS } from 'node:http';
import { Gauge, Histogram, type Registry } from 'prom-client';

export type HttpObservation = {
  readonly method: string;
  /** The route's pattern, never a path with ids in it; undefined if no route matched. */
  readonly route: string | undefined;
  readonly status: number;
  readonly seconds: number;
};

export type HttpMetrics = {
  observe(observation: HttpObservation): void;
  readonly inFlight: Gauge;
};

const knownMethods = new Set(METHODS);
const perRegistry = new WeakMap<Registry, HttpMetrics>();

/** The HTTP metrics of a registry: the same ones each time, for apps that share a registry. */
export function httpMetrics(registry: Registry): HttpMetrics {
  const metrics = perRegistry.get(registry) ?? createHttpMetrics(registry);
  perRegistry.set(registry, metrics);
  return metrics;
}

function createHttpMetrics(registry: Registry): HttpMetrics {
  const duration = new Histogram({
    name: 'parley_http_request_duration_seconds',
    help: 'Time from receiving a request to the end of its response, by method, route and status code class.',
    labelNames: ['method', 'route', 'code'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  const inFlight = new Gauge({
    name: 'parley_http_requests_in_flight',
    help: 'Requests in progress.',
    registers: [registry],
  });
  return {
    inFlight,
    observe({ method, route, status, seconds }) {
      const labels = {
        method: knownMethods.has(method) ? method : 'other',
        route: route ?? 'unmatched',
        code: `${Math.floor(status / 100)}xx`,
      };
      duration.observe(labels, seconds);
    },
  };
}
