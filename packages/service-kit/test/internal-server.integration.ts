import { expect } from 'chai';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Gauge } from 'prom-client';
import { startInternalServer, type InternalServer } from '#src/internal-server.js';
import { createLogger } from '#src/logger.js';
import { createMetrics } from '#src/metrics.js';
import { createReadiness } from '#src/readiness.js';
import { StartupError } from '#src/startup-error.js';

describe('the internal server', () => {
  const host = '127.0.0.1';
  const lines: string[] = [];
  const logger = createLogger({
    app: 'api',
    level: 'info',
    destination: { write: (line) => lines.push(line) },
  });
  const { registry } = createMetrics({ app: 'api' });
  let readiness = createReadiness();
  let server: InternalServer;
  const get = (path: string, method = 'GET') =>
    fetch(`http://${host}:${server.port}${path}`, { method });

  beforeEach(async () => {
    readiness = createReadiness();
    server = await startInternalServer({ host, port: 0, registry, readiness, logger });
  });
  afterEach(() => server.close());

  it('is alive from the start, and while it drains', async () => {
    expect((await get('/livez')).status).to.equal(200);
    readiness.draining();
    expect((await get('/livez')).status).to.equal(200);
  });

  it('is ready once started and until it drains, and says why not', async () => {
    const starting = await get('/readyz');
    expect([starting.status, await starting.text()]).to.deep.equal([503, 'not ready: starting\n']);
    readiness.started();
    const ready = await get('/readyz?verbose=1');
    expect([ready.status, await ready.text()]).to.deep.equal([200, 'ready\n']);
    readiness.draining();
    const draining = await get('/readyz');
    expect([draining.status, await draining.text()]).to.deep.equal([503, 'not ready: draining\n']);
    readiness.started();
    expect((await get('/readyz')).status).to.equal(503);
  });

  it('serves the metrics of its registry', async () => {
    const response = await get('/metrics');
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.equal(registry.contentType);
    expect(await response.text()).to.include('process_cpu_seconds_total{app="api"}');
  });

  it('answers 500 if a collector fails, tells the log, and goes on', async () => {
    new Gauge({
      name: 'broken',
      help: 'Always fails.',
      registers: [registry],
      collect: () => Promise.reject(new Error('collector hush')),
    });
    try {
      const response = await get('/metrics');
      expect(response.status).to.equal(500);
      expect(await response.text()).not.to.include('hush');
      expect(lines.at(-1)).to.include('collecting metrics failed').and.to.include('collector');
    } finally {
      registry.removeSingleMetric('broken');
    }
    expect((await get('/metrics')).status).to.equal(200);
  });

  it('answers other paths with 404 and other methods with 405, as problems', async () => {
    const absent = await get('/api/v1/Agent');
    expect(absent.headers.get('content-type')).to.equal('application/problem+json');
    expect(await absent.json()).to.include({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
    });
    const refused = await get('/metrics', 'POST');
    expect(refused.headers.get('allow')).to.equal('GET, HEAD');
    expect(await refused.json()).to.include({ title: 'Method Not Allowed', status: 405 });
  });

  it('answers HEAD without a body', async () => {
    const response = await get('/livez', 'HEAD');
    expect([response.status, await response.text()]).to.deep.equal([200, '']);
  });

  it('says which port is in use and which setting chooses it', async () => {
    const { port } = server;
    const failure: unknown = await startInternalServer({ host, port, registry, readiness }).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).to.be.instanceOf(StartupError);
    expect(String(failure)).to.include(String(port)).and.to.include('INTERNAL_PORT');
  });

  it('closes although a client holds its connection open', async () => {
    const other = await startInternalServer({ host, port: 0, registry, readiness });
    const socket = connect(other.port, host);
    await once(socket, 'connect');
    const closed = once(socket, 'close');
    socket.on('error', () => undefined);
    await other.close();
    await closed;
    expect(socket.destroyed).to.equal(true);
  });
});
