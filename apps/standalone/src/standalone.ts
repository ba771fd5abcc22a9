import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { closeServer, createApi } from '@parley/api';
import { approvalMetrics } from '@parley/approvals';
import { createSecretBox, type SecretBox } from '@parley/database';
import { createEgress, type Egress } from '@parley/egress';
import { openFileStore, type FileStore } from '@parley/file-store';
import { startSimulator } from '@parley/provider-simulator';
import { defaultConnection, type ProviderConnection } from '@parley/providers';
import {
  createGateway,
  createSessionRecords,
  listenAsPod,
  openTools,
  type Gateway,
} from '@parley/realtime-gateway';
import {
  createMetrics,
  createReadiness,
  httpMetrics,
  listen,
  startInternalServer,
  unusable,
  type ConfigOf,
  type Lifecycle,
  type Logger,
  type Metrics,
} from '@parley/service-kit';
import {
  createApprovals,
  createJobProducer,
  createLiveSessions,
  createRateLimit,
  createSessionTokens,
} from '@parley/session-store';
import { startWorker } from '@parley/worker';
import { useDataDir, type Credentials } from './data-dir.js';
import { createFront } from './front.js';
import { seed } from './seed.js';
import { openStores, type Stores } from './stores.js';
import { localUrl } from './welcome.js';

type Registry = Metrics['registry'];

/** One person's server: who talks is told goodbye, and nobody waits. A job that is cut off runs again. */
const drainSeconds = 1;

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
  const { config, lifecycle } = options;
  const { registry } = createMetrics({ app: 'standalone' });
  const readiness = createReadiness();
  const front = createFront();
  const port = await listen(front.server, {
    host: config.HOST,
    port: config.PORT,
    setting: 'PORT',
  });
  const internal = await startInternalServer({
    host: '127.0.0.1',
    port: config.INTERNAL_PORT,
    registry,
    readiness,
  });
  lifecycle.add('internal server', () => internal.close());

  const dataDir = await useDataDir(config.DATA_DIR);
  const stores = await openStores({ ...options, dataDir: dataDir.path });
  const credentials = await seed({
    database: stores.database,
    baseUrl: config.PUBLIC_URL ?? localUrl(config.HOST, port),
    kept: await dataDir.readCredentials(),
    bootstrap: { organizationId: config.BOOTSTRAP_ORG_ID, apiKey: config.BOOTSTRAP_API_KEY },
  });
  await dataDir.writeCredentials(credentials);

  const connection = defaultConnection(config) ?? (await startProvider(options));
  const secretBox = createSecretBox(config.SECRETS_KEY ?? (await dataDir.secretsKey()));
  const egress = createEgress(config.TOOL_EGRESS_ALLOW);
  const files = await openFileStore(stores.database, config).catch(unusable('FILE_STORAGE'));
  const parts = {
    ...options,
    ...stores,
    registry,
    secretBox,
    egress,
    files,
    defaultConnection: connection,
  };
  await openWorker(parts);
  const gateway = await openGateway(parts);
  front.open(openApi(parts), gateway);
  lifecycle.add('server', () => closeServer(front.server));
  lifecycle.add('sessions', () => gateway.drain());
  lifecycle.add('readiness', () => readiness.draining());
  readiness.started();
  return { credentials, dataDir: dataDir.path };
}

type Parts = StandaloneOptions &
  Stores & {
    registry: Registry;
    defaultConnection: ProviderConnection;
    secretBox: SecretBox;
    egress: Egress;
    files: FileStore;
  };

function openApi({ config, logger, registry, redis, ...parts }: Parts): RequestListener {
  const perKey = (name: string, perMinute: number) => createRateLimit(redis, { name, perMinute });
  const producer = createJobProducer(redis, (err) => logger.warn({ err }, 'job queue trouble'));
  parts.lifecycle.add('job queues', () => producer.close());
  return createApi({
    ...parts,
    tokens: createSessionTokens(redis),
    approvals: createApprovals(redis),
    liveSessions: createLiveSessions(redis),
    producer,
    redis,
    rateLimits: {
      requests: perKey('requests', config.RATE_LIMIT_PER_MINUTE),
      sessions: perKey('sessions', config.RATE_LIMIT_SESSIONS_PER_MINUTE),
    },
    logger: logger.child({ app: 'api' }),
    httpMetrics: httpMetrics(registry),
    approvalMetrics: approvalMetrics(registry),
    settings: config,
  });
}

async function openGateway({ config, lifecycle, ...parts }: Parts): Promise<Gateway> {
  const egress = createEgress(config.TOOL_EGRESS_ALLOW);
  lifecycle.add('egress', () => egress.close());
  const shared = {
    ...parts,
    logger: parts.logger.child({ app: 'realtime-gateway' }),
    settings: { ...config, DRAIN_TIMEOUT_SECONDS: drainSeconds },
    pod: randomUUID(),
    egress,
  };
  const records = createSessionRecords(shared);
  lifecycle.add('record', () => records.close());
  const tools = openTools(shared);
  lifecycle.add('tools', () => tools.close());
  const tokens = createSessionTokens(parts.redis);
  const live = createLiveSessions(parts.redis);
  const gateway = createGateway({ ...shared, tokens, records, tools, live });
  const subscriber = await listenAsPod(parts.redisOptions, gateway).catch(unusable('REDIS_URL'));
  lifecycle.add('subscriber', () => subscriber.close());
  return gateway;
}

async function openWorker({ config, logger, lifecycle, ...parts }: Parts): Promise<void> {
  const worker = await startWorker({
    ...parts,
    redis: parts.redisOptions,
    logger: logger.child({ app: 'worker' }),
    settings: { ...config, DRAIN_TIMEOUT_SECONDS: drainSeconds },
  }).catch(unusable('REDIS_URL'));
  lifecycle.add('worker', () => worker.close());
}

/** Without a provider of one's own there is still somebody to talk to. */
async function startProvider({
  logger,
  lifecycle,
  say,
}: StandaloneOptions): Promise<ProviderConnection> {
  say('Provider: starting the simulator (set OPENAI_API_KEY or PROVIDER_KIND to use another)');
  const simulator = await startSimulator({ logger: logger.child({ app: 'provider-simulator' }) });
  lifecycle.add('provider simulator', () => simulator.close());
  return { kind: 'simulator', baseUrl: simulator.url, secret: 'simulator' };
}
