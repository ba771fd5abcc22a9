import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import {
  apiMetrics,
  closeServer,
  countFailedRequests,
  createApi,
  openConsole,
  openEvents,
  openQuestions,
} from '@parley/api';
import { approvalMetrics, createApprovalDesk } from '@parley/approvals';
import { createSecretBox, type SecretBox } from '@parley/database';
import { createEgress, type Egress } from '@parley/egress';
import { openFileStore, type FileStore } from '@parley/file-store';
import { quotaNames } from '@parley/protocol';
import { startSimulator } from '@parley/provider-simulator';
import { defaultConnection, type ProviderConnection } from '@parley/providers';
import {
  countFailedUpgrades,
  createGateway,
  createSessionRecords,
  doorStores,
  listenAsPod,
  openDoor,
  openTools,
  type Gateway,
} from '@parley/realtime-gateway';
import {
  createMetrics,
  createReadiness,
  eventMetrics,
  fromSetting,
  httpMetrics,
  listen,
  openTracing,
  quotaMetrics,
  startInternalServer,
  storeMetrics,
  unusable,
  type ConfigOf,
  type Lifecycle,
  type Logger,
  type Metrics,
  type Tracing,
} from '@parley/service-kit';
import {
  createEventLog,
  createEventPublisher,
  createJobProducer,
  createLiveSessions,
  createRateLimit,
  createSessionTokens,
} from '@parley/session-store';
import { startWorker } from '@parley/worker';
import { useDataDir, type Credentials, type DataDir } from './data-dir.js';
import { createFront } from './front.js';
import { seed, type SeedOptions } from './seed.js';
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
): Promise<{ credentials: Credentials; consoleUrl: string; dataDir: string }> {
  const { config, lifecycle } = options;
  const { registry } = createMetrics({ app: 'standalone' });
  const readiness = createReadiness();
  const front = createFront(options.logger);
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
  const metrics = storeMetrics(registry);
  const stores = await openStores({ ...options, dataDir: dataDir.path, metrics });
  publishEvents(stores, registry);
  const { credentials, consoleUrl } = await seed({
    database: stores.database,
    baseUrl: config.PUBLIC_URL ?? localUrl(config.HOST, port),
    kept: await dataDir.readCredentials(),
    bootstrap: bootstrapOf(config),
  });
  await dataDir.writeCredentials(credentials);

  const connection = defaultConnection(config) ?? (await startProvider(options));
  const secretBox = await openSecretBox(config, dataDir);
  const egress = fromSetting('TOOL_EGRESS_ALLOW', () => createEgress(config.TOOL_EGRESS_ALLOW));
  lifecycle.add('egress', () => egress.close());
  const files = await openFileStore(stores.database, config).catch(unusable('FILE_STORAGE'));
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = config;
  const tracing = await openTracing({ app: 'standalone', endpoint, lifecycle });
  const parts = {
    ...options,
    ...stores,
    registry,
    tracing,
    secretBox,
    egress,
    files,
    defaultConnection: connection,
  };
  await openWorker(parts);
  const gateway = await openGateway(parts);
  const api = await openApi(parts);
  front.open(api.app, gateway);
  lifecycle.add('server', () => closeServer(front.server));
  lifecycle.add('streams', api.leave);
  lifecycle.add('sessions', () => gateway.drain());
  lifecycle.add('readiness', () => readiness.draining());
  readiness.started();
  return { credentials, consoleUrl, dataDir: dataDir.path };
}

function bootstrapOf(config: StandaloneOptions['config']): SeedOptions['bootstrap'] {
  const { BOOTSTRAP_ADMIN_EMAIL: email, BOOTSTRAP_ADMIN_PASSWORD: password } = config;
  return {
    organizationId: config.BOOTSTRAP_ORG_ID,
    apiKey: config.BOOTSTRAP_API_KEY,
    owner: email === undefined ? undefined : { email, password },
  };
}

function publishEvents({ database, redis }: Stores, registry: Registry): void {
  const publisher = { log: createEventLog(redis), onOutcome: eventMetrics(registry) };
  database.onAnnounced(createEventPublisher(publisher));
}

async function openSecretBox(
  { SECRETS_KEY: given, SECRETS_KEY_PREVIOUS: former }: StandaloneOptions['config'],
  dataDir: DataDir,
): Promise<SecretBox> {
  return createSecretBox(given ?? (await dataDir.secretsKey()), former);
}

type Parts = StandaloneOptions &
  Stores & {
    registry: Registry;
    tracing: Tracing;
    defaultConnection: ProviderConnection;
    secretBox: SecretBox;
    egress: Egress;
    files: FileStore;
  };

type OpenApi = { app: RequestListener; leave: () => void };

async function openApi({ config, logger, registry, redis, ...parts }: Parts): Promise<OpenApi> {
  const perKey = (name: string, perMinute: number) => createRateLimit(redis, { name, perMinute });
  const producer = createJobProducer(redis, (err) => logger.warn({ err }, 'job queue error'));
  parts.lifecycle.add('job queues', () => producer.close());
  const shared = {
    ...parts,
    approvals: createApprovalDesk({
      ...{ database: parts.database, redis, producer },
      metrics: approvalMetrics(registry),
      onError: (err) => logger.warn({ err }, 'approval timer or hint failed'),
    }),
    producer,
    redis,
    logger: logger.child({ app: 'api' }),
    settings: config,
  };
  const questions = await openQuestions({ ...shared, registry }).catch(unusable('REDIS_URL'));
  parts.lifecycle.add('run hints', () => questions.close());
  const { redisOptions } = parts;
  const events = await openEvents({ redis, redisOptions, registry }).catch(unusable('REDIS_URL'));
  parts.lifecycle.add('events', () => events.close());
  const app = createApi({
    ...shared,
    tokens: createSessionTokens(redis),
    liveSessions: createLiveSessions(redis),
    questions,
    trials: questions.runtime,
    events: events.desk,
    rateLimits: {
      requests: perKey('requests', config.RATE_LIMIT_PER_MINUTE),
      sessions: perKey('sessions', config.RATE_LIMIT_SESSIONS_PER_MINUTE),
    },
    ...countFailedRequests(redis, config),
    console: openConsole(redis),
    httpMetrics: httpMetrics(registry),
    metrics: apiMetrics(registry),
    quotaMetrics: quotaMetrics(registry, quotaNames),
  });
  const leave = () => {
    questions.leave();
    events.desk.leave();
  };
  return { app, leave };
}

async function openGateway({ config, lifecycle, ...parts }: Parts): Promise<Gateway> {
  const shared = {
    ...parts,
    logger: parts.logger.child({ app: 'realtime-gateway' }),
    settings: { ...config, DRAIN_TIMEOUT_SECONDS: drainSeconds },
    pod: randomUUID(),
  };
  const records = createSessionRecords(shared);
  lifecycle.add('record', () => records.close());
  const tools = openTools({ ...shared, journal: records.journal });
  lifecycle.add('tools', () => tools.close());
  const tokens = createSessionTokens(parts.redis);
  const live = createLiveSessions(parts.redis);
  const failures = countFailedUpgrades(parts.redis, config);
  const counted = { ...failures, quotaMetrics: quotaMetrics(parts.registry, quotaNames) };
  const door = config.OPENAI_DOOR
    ? openDoor({ ...shared, ...doorStores(parts.redis, config), ...counted })
    : undefined;
  const gateway = createGateway({ ...shared, ...counted, tokens, records, tools, live, door });
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
