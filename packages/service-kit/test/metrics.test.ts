import { expect } from 'chai';
import { register } from 'prom-client';
import { httpMetrics } from '#src/http-metrics.js';
import { createMetrics } from '#src/metrics.js';

describe('createMetrics', () => {
  it('collects process and event-loop metrics with the app as a label', async () => {
    const text = await createMetrics({ app: 'worker' }).registry.metrics();
    expect(text).to.match(/^process_cpu_seconds_total\{app="worker"\} /m);
    expect(text).to.match(/^nodejs_eventloop_lag_p99_seconds\{app="worker"\} /m);
  });

  it('leaves the global registry alone and can be called twice', () => {
    expect(createMetrics({ app: 'a' }).registry).not.to.equal(createMetrics({ app: 'b' }).registry);
    expect(register.getMetricsAsArray()).to.deep.equal([]);
  });
});

describe('httpMetrics', () => {
  it('observes a request by method, route and class of status', async () => {
    const { registry } = createMetrics({ app: 'api' });
    const http = httpMetrics(registry);
    http.observe({ method: 'GET', route: '/api/v1/Agent/:agentId', status: 404, seconds: 0.02 });
    http.observe({ method: 'GET', route: '/api/v1/Agent/:agentId', status: 400, seconds: 0.2 });
    http.observe({ method: 'BREW', route: undefined, status: 200, seconds: 3 });
    const counted = (await registry.metrics())
      .split('\n')
      .filter((line) => line.startsWith('parley_http_request_duration_seconds_count'));
    expect(counted).to.deep.equal([
      'parley_http_request_duration_seconds_count{app="api",method="GET",route="/api/v1/Agent/:agentId",code="4xx"} 2',
      'parley_http_request_duration_seconds_count{app="api",method="other",route="unmatched",code="2xx"} 1',
    ]);
  });

  it('counts the requests in flight', async () => {
    const { registry } = createMetrics({ app: 'api' });
    const { inFlight } = httpMetrics(registry);
    inFlight.inc();
    inFlight.inc();
    inFlight.dec();
    expect(await registry.metrics()).to.include('parley_http_requests_in_flight{app="api"} 1');
  });

  it('is one set of metrics for all who share a registry', () => {
    const { registry } = createMetrics({ app: 'standalone' });
    expect(httpMetrics(registry)).to.equal(httpMetrics(registry));
  });
});
