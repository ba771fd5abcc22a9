import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { connectDatabase, createSecretBox, type Database } from '@parley/database';
import { createEgress } from '@parley/egress';
import { Problem, quotaNames, wholeAnswer } from '@parley/protocol';
import { defaultConnection } from '@parley/providers';
import {
  createLifecycle,
  createLogger,
  createMetrics,
  createPublicServer,
  createReadiness,
  eventMetrics,
  fromSetting,
  listen,
  openTracing,
  quotaMetrics,
  reportStartupFailure,
  requireConfig,
  startInternalServer,
  storeMetrics,
  unusable,
  type EarlyRefusal,
  type Metrics,
} from '@parley/service-kit';
import {
  connectRedis,
  createEventLog,
  createEventPublisher,
  createLiveSessions,
  createSessionTokens,
  redisOptions,
  type Redis,
} from '@parley/session-store';
import { countFailedUpgrades } from './admission/count-failures.js';
import { doorStores, openDoor } from './admission/open-door.js';
import { createGateway } from './gateway.js';
import { listenAsPod } from './pod.js';
import { createSessionRecords } from './records/session-records.js';
import { openTools } from './tools/open-tools.js';

/** For what comes after the drain: closing servers and stores. */
const stopSeconds = 10;

/** A peer that does not finish its request is not waited for. */
const patience = { headersTimeout: 8000, requestTimeout: 8000, connectionsCheckingInterval: 1000 };

const answerFor = (code: EarlyRefusal, detail: string) => wholeAnswer(new Problem(code, detail));

async function main(): Promise<void> {
  const { config, warnings } = requireConfig('realtime-gateway', process.env);
  const logger = createLogger({ app: 'realtime-gateway', level: config.LOG_LEVEL });
  for (const warning of warnings) logger.warn({ warning }, 'unknown setting');
  const { registry } = createMetrics({ app: 'realtime-gateway' });
  const readiness = createReadiness();
  const { DRAIN_LAG_SECONDS: lag, DRAIN_TIMEOUT_SECONDS: drain, HOST: host } = config;
  const lifecycle = createLifecycle({ logger, timeoutMs: (lag + drain + stopSeconds) * 1000 });
  lifecycle.onSignals(process, (code) => process.exit(code));
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = config;
  const tracing = await openTracing({ app: 'realtime-gateway', endpoint, lifecycle });

  const stores = storeMetrics(registry);
  const database = connectDatabase({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: 'parley-realtime-gateway',
    onError: (err) => logger.warn({ err }, 'database connection lost'),
    onTransaction: stores.postgres.transaction,
  });
  lifecycle.add('database', () => database.close());
  await database.ping().catch(unusable('DATABASE_URL'));
  const owner = { name: 'parley-realtime-gateway', logger, metrics: stores.redis };
  const redisAccess = redisOptions(config, owner);
  const redis = await connectRedis(redisAccess).catch(unusable('REDIS_URL'));
  lifecycle.add('redis', () => redis.disconnect());
  publishEvents(database, redis, registry);
  stores.watch({ redis: () => redis.ping(), postgres: () => database.ping() });

  const egress = fromSetting('TOOL_EGRESS_ALLOW', () => createEgress(config.TOOL_EGRESS_ALLOW));
  lifecycle.add('egress', () => egress.close());
  const secretBox = createSecretBox(config.SECRETS_KEY, config.SECRETS_KEY_PREVIOUS);
  const own = { pod: randomUUID(), defaultConnection: defaultConnection(config) };
  const shared = { ...own, settings: config, logger, registry, egress, tracing };
  const records = createSessionRecords({ ...shared, database, secretBox });
  lifecycle.add('record', () => records.close());
  const tools = openTools({ ...shared, database, secretBox, redis, journal: records.journal });
  lifecycle.add('tools', () => tools.close());
  const coordination = { tokens: createSessionTokens(redis), live: createLiveSessions(redis) };
  const failures = countFailedUpgrades(redis, config);
  const counted = { ...failures, quotaMetrics: quotaMetrics(registry, quotaNames) };
  const door = config.OPENAI_DOOR
    ? openDoor({ ...shared, ...doorStores(redis, config), ...counted, database })
    : undefined;
  const gateway = createGateway({ ...shared, ...coordination, ...counted, records, tools, door });
  const subscriber = await listenAsPod(redisAccess, gateway).catch(unusable('REDIS_URL'));
  lifecycle.add('subscriber', () => subscriber.close());
  const reports = { host, port: config.INTERNAL_PORT, registry, readiness };
  const internal = await startInternalServer(reports);
  lifecycle.add('internal server', () => internal.close());
  const serving = { server: patience, handle: gateway.handleRequest, answerFor, logger };
  const server = createPublicServer(serving).on('upgrade', gateway.handleUpgrade);
  const port = await listen(server, { host, port: config.PORT, setting: 'PORT' });
  lifecycle.add('server', () => void server.close());
  lifecycle.add('sessions', async () => {
    readiness.draining();
    await delay(lag * 1000);
    await gateway.drain();
  });
  readiness.started();
  logger.info({ port, internalPort: internal.port }, 'ready');
}

function publishEvents(database: Database, redis: Redis, registry: Metrics['registry']): void {
  const publisher = { log: createEventLog(redis), onOutcome: eventMetrics(registry) };
  database.onAnnounced(createEventPublisher(publisher));
}

main().catch(reportStartupFailure);
