import { createServer, STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { listen } from './listen.js';
import type { Readiness } from './readiness.js';

export type InternalServerOptions = {
  readonly host: string;
  readonly port: number;
  readonly registry: Registry;
  readonly readiness: Pick<Readiness, 'state'>;
  /** Logs failures of a collector. */
  readonly logger?: Pick<Logger, 'error'>;
};

/** Handles a request that asks for another protocol. */
export type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

export type InternalServer = {
  readonly port: number;
  /** Accepts upgrades, too; without it, they are answered like any request. */
  readonly onUpgrade: (listener: UpgradeListener) => void;
  close(): Promise<void>;
};

type Answer = {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
};

const paths = ['/livez', '/readyz', '/metrics'];

/** Health and metrics on a separate port, so that neither is ever public. */
export async function startInternalServer(options: InternalServerOptions): Promise<InternalServer> {
  showWhetherReady(options);
  const server = createServer((request, response) => {
    request.resume();
    void answer(request, options).then((found) => send(response, found));
  });
  const port = await listen(server, { ...options, setting: 'INTERNAL_PORT' });
  return {
    port,
    onUpgrade: (listener) => void server.on('upgrade', listener),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function showWhetherReady({ registry, readiness }: InternalServerOptions): void {
  const name = 'parley_ready';
  registry.removeSingleMetric(name);
  new Gauge({
    name,
    help: 'Whether the process accepts requests: 1, or 0 while it starts or drains.',
    registers: [registry],
    collect() {
      this.set(readiness.state === 'ready' ? 1 : 0);
    },
  });
}

async function answer(request: IncomingMessage, options: InternalServerOptions): Promise<Answer> {
  const path = request.url?.split('?', 1)[0] ?? '';
  if (!paths.includes(path))
    return problem(404, `Not found. Available paths: ${paths.join(', ')}.`);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return { ...problem(405, 'Use GET.'), headers: { allow: 'GET, HEAD' } };
  if (path === '/metrics') return metrics(options);
  if (path === '/readyz') return readyz(options.readiness);
  // Never checks a dependency: restarting every pod does not bring Redis back.
  return text(200, 'alive');
}

function readyz({ state }: Pick<Readiness, 'state'>): Answer {
  return state === 'ready' ? text(200, 'ready') : text(503, `not ready: ${state}`);
}

async function metrics({ registry, logger }: InternalServerOptions): Promise<Answer> {
  try {
    return { status: 200, type: registry.contentType, body: await registry.metrics() };
  } catch (err) {
    logger?.error({ err }, 'collecting metrics failed');
    return problem(500, 'A collector failed.');
  }
}

function text(status: number, body: string): Answer {
  return { status, type: 'text/plain; charset=utf-8', body: `${body}\n` };
}

function problem(status: number, detail: string): Answer {
  const body = { type: 'about:blank', title: STATUS_CODES[status], status, detail };
  return { status, type: 'application/problem+json', body: JSON.stringify(body) };
}

function send(response: ServerResponse, { status, type, body, headers }: Answer): void {
  response.writeHead(status, {
    ...headers,
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  response.end(body);
}
