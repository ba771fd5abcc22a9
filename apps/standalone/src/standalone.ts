import { createServer, type RequestListener } from 'node:http';
import { closeServer, createApi } from '@parley/api';
import { createSecretBox } from '@parley/database';
import {
  createMetrics,
  createReadiness,
  httpMetrics,
  listen,
  startInternalServer,
  type ConfigOf,
  type Lifecycle,
  type Logger,
} from '@parley/service-kit';
import { createRateLimit } from '@parley/session-store';
import { openDataDir, type Credentials } from './data-dir.js';
import { seed } from './seed.js';
import { openStores } from './stores.js';
import { localUrl } from './welcome.js';

export type StandaloneOptions = {
  config: ConfigOf<'standalone'>;
  logger: Logger;
  lifecycle: Lifecycle;
  say: (line: string) => void;
  /** An engine died under us: there is no way on. */
  onFailure: (error: Error) => void;
};

/** Every app in this process, on one public port. Both ports are taken first: a conflict shows before any data is touched. */
export async function startStandalone(
  options: StandaloneOptions,
): Promise<{ credentials: Credentials; dataDir: string }> {
  const { config, logger, lifecycle } = options;
  const { registry } = createMetrics({ app: 'standalone' });
  const readiness = createReadiness();

  let handle: RequestListener = answerStarting;
  const server = createServer({ keepAliveTimeout: 70_000 }, (request, response) =>
    handle(request, response),
  );
  const port = await listen(server, { host: config.HOST, port: config.PORT, setting: 'PORT' });
  const internal = await startInternalServer({
    host: '127.0.0.1',
    port: config.INTERNAL_PORT,
    registry,
    readiness,
  });
  lifecycle.add('internal server', () => internal.close());

  const dataDir = await openDataDir(config.DATA_DIR);
  const { database, redis } = await openStores({ ...options, dataDir: dataDir.path });
  const credentials = await seed({
    database,
    baseUrl: config.PUBLIC_URL ?? localUrl(config.HOST, port),
    kept: await dataDir.readCredentials(),
    bootstrap: { organizationId: config.BOOTSTRAP_ORG_ID, apiKey: config.BOOTSTRAP_API_KEY },
  });
  await dataDir.writeCredentials(credentials);

  handle = createApi({
    database,
    secretBox: createSecretBox(config.SECRETS_KEY ?? (await dataDir.secretsKey())),
    rateLimit: createRateLimit(redis, {
      name: 'requests',
      perMinute: config.RATE_LIMIT_PER_MINUTE,
    }),
    logger: logger.child({ app: 'api' }),
    httpMetrics: httpMetrics(registry),
    settings: config,
  });
  lifecycle.add('server', () => closeServer(server));
  lifecycle.add('readiness', () => readiness.draining());
  readiness.started();
  return { credentials, dataDir: dataDir.path };
}

const answerStarting: RequestListener = (_request, response) => {
  response.writeHead(503, { 'Retry-After': '2', 'Content-Type': 'text/plain' });
  response.end('Parley is starting.\n');
};
