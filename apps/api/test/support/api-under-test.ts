import { randomBytes } from 'node:crypto';
import { openConsole } from '#src/accounts/open-console.js';
import { createApi } from '#src/api.js';
import type { EventLimits } from '#src/events/event-desk.js';
import { openEvents, type Events } from '#src/events/open-events.js';
import { closeServer } from '#src/close-server.js';
import { apiMetrics } from '#src/metrics.js';
import { openQuestions, type Questions } from '#src/questions/open-questions.js';
import type { SessionSettings } from '#src/sessions/session-operations.js';
import { approvalMetrics, createApprovalDesk } from '@parley/approvals';
import { createSecretBox, insertApiKey, insertOrganization, type Database } from '@parley/database';
import { createEgress } from '@parley/egress';
import { openFileStore, type FileStoreSettings } from '@parley/file-store';
import {
  allScopes,
  Problem,
  quotaNames,
  wholeAnswer,
  type QuotaSettings,
  type Scope,
} from '@parley/protocol';
import type { ProviderConnection } from '@parley/providers';
import {
  clientAddressBehind,
  createLogger,
  createMetrics,
  createPublicServer,
  httpMetrics,
  listen,
  quotaMetrics,
  requireConfig,
  type Metrics,
} from '@parley/service-kit';
import {
  connectRedis,
  createEventLog,
  createEventPublisher,
  createFailedAttempts,
  createJobProducer,
  createLiveSessions,
  createRateLimit,
  createSessionTokens,
  type Redis,
} from '@parley/session-store';
import { migratedDatabase, testRedis, type MigratedDatabase } from '@parley/testkit';
import { contractClient, type ContractClient } from './contract-client.js';

export type ApiUnderTest = {
  url: string;
  database: Database;
  databaseUrl: string;
  redis: Redis;
  metrics: Metrics;
  secretsKey: string;
  questions: Questions;
  events: Events;
  logLines: string[];
  /** A new organization with a key, and a client that sends both. */
  organization(options?: { scopes?: Scope[]; expiresAt?: Date }): Promise<Tenant>;
  stop(): Promise<void>;
};

export type Tenant = { id: string; key: string; keyId: string; client: ContractClient };

export type TestSettings = {
  realtime?: Partial<SessionSettings>;
  sessionsPerMinute?: number;
  /** Null: none. */
  defaultConnection?: ProviderConnection | null;
  perMinute?: number;
  failuresPerMinute?: number;
  trustedProxies?: string[];
  quotas?: Partial<QuotaSettings>;
  maxBodyBytes?: number;
  door?: boolean;
  frameAncestors?: string[];
  maxFileBytes?: number;
  fileStorage?: Partial<FileStoreSettings>;
  egressAllow?: string[];
  redisUrl?: string;
  questionTimeoutSeconds?: number;
  approvalTimeoutSeconds?: number;
  database?: MigratedDatabase;
  events?: Partial<EventLimits>;
  /** Of people who sign in. */
  people?: Partial<
    Pick<
      typeof defaults,
      | 'PUBLIC_URL'
      | 'OIDC_ISSUER'
      | 'OIDC_CLIENT_ID'
      | 'OIDC_CLIENT_SECRET'
      | 'OIDC_ALLOWED_DOMAINS'
    >
  >;
  port?: number;
};

const { config: defaults } = requireConfig('standalone', {});

export const fileDefaults: FileStoreSettings = {
  FILE_STORAGE: 'postgres',
  S3_REGION: 'us-east-1',
  S3_FORCE_PATH_STYLE: true,
};

/** The API on real stores, listening on a free loopback port. */
export async function startApi(settings: TestSettings = {}): Promise<ApiUnderTest> {
  const migrated = settings.database ?? (await migratedDatabase());
  const redisUrl = settings.redisUrl ?? (await testRedis()).url;
  const redis = await connectRedis({ url: redisUrl, name: 'test' });
  const metrics = createMetrics({ app: 'api' });
  const logLines: string[] = [];
  const producer = createJobProducer(redis, () => undefined);
  const secretsKey = randomBytes(32).toString('base64');
  const parts = {
    database: migrated.database,
    secretBox: createSecretBox(secretsKey),
    approvals: createApprovalDesk({
      ...{ database: migrated.database, redis, producer },
      metrics: approvalMetrics(metrics.registry),
      onError: () => undefined,
    }),
    producer,
    redis,
    defaultConnection:
      settings.defaultConnection === undefined
        ? { kind: 'openai' as const, baseUrl: null, secret: 'sk-test' }
        : (settings.defaultConnection ?? undefined),
    logger: createLogger({
      app: 'api',
      level: 'trace',
      destination: { write: (line) => void logLines.push(line) },
    }),
  };
  const egress = createEgress(['127.0.0.1']);
  const aimed = createEgress(settings.egressAllow ?? []);
  const questions = await openQuestions({
    ...parts,
    redisOptions: { url: redisUrl, name: 'test' },
    egress,
    registry: metrics.registry,
    settings: {
      ...defaults,
      QUESTION_TIMEOUT_SECONDS: settings.questionTimeoutSeconds ?? 120,
      REALTIME_APPROVAL_TIMEOUT_SECONDS: settings.approvalTimeoutSeconds ?? 300,
      PROVIDER_TEXT_MODEL: 'sim-text',
    },
  });
  // Whoever brings a database has somebody told already.
  if (!settings.database)
    migrated.database.onAnnounced(
      createEventPublisher({ log: createEventLog(redis), onOutcome: () => undefined }),
    );
  const events = await openEvents({
    redis,
    redisOptions: { url: redisUrl, name: 'test' },
    registry: metrics.registry,
    limits: settings.events ?? {},
  });
  const app = createApi({
    ...parts,
    tokens: createSessionTokens(redis),
    liveSessions: createLiveSessions(redis),
    questions,
    trials: questions.runtime,
    events: events.desk,
    files: await openFileStore(migrated.database, { ...fileDefaults, ...settings.fileStorage }),
    egress: aimed,
    rateLimits: {
      requests: createRateLimit(redis, {
        name: 'requests',
        perMinute: settings.perMinute ?? 100_000,
      }),
      sessions: createRateLimit(redis, {
        name: 'sessions',
        perMinute: settings.sessionsPerMinute ?? 100_000,
      }),
    },
    attempts: createFailedAttempts(redis, {
      name: 'failures',
      perMinute: settings.failuresPerMinute ?? 100_000,
    }),
    console: openConsole(redis),
    clientAddress: clientAddressBehind(settings.trustedProxies ?? []),
    httpMetrics: httpMetrics(metrics.registry),
    metrics: apiMetrics(metrics.registry),
    quotaMetrics: quotaMetrics(metrics.registry, quotaNames),
    settings: {
      ...defaults,
      ...settings.realtime,
      ...settings.quotas,
      ...settings.people,
      OPENAI_DOOR: settings.door ?? true,
      CONSOLE_FRAME_ANCESTORS: settings.frameAncestors ?? [],
      MAX_BODY_BYTES: settings.maxBodyBytes ?? 1_048_576,
      TEMPORARY_FILE_MAX_BYTES: settings.maxFileBytes ?? 20_971_520,
      TEMPORARY_FILE_TTL_HOURS: 24,
    },
  });
  const server = createPublicServer({
    server: { keepAliveTimeout: 70_000 },
    handle: app,
    answerFor: (refusal, detail) => wholeAnswer(new Problem(refusal, detail)),
    logger: parts.logger,
  });
  const port = await listen(server, {
    host: '127.0.0.1',
    port: settings.port ?? 0,
    setting: 'PORT',
  });
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    database: migrated.database,
    databaseUrl: migrated.url,
    redis,
    metrics,
    secretsKey,
    questions,
    events,
    logLines,
    organization: (options) => newTenant(url, migrated.database, options),
    async stop() {
      server.closeAllConnections();
      await closeServer(server);
      await questions.settled();
      await questions.close();
      events.close();
      await egress.close();
      await aimed.close();
      await producer.close();
      redis.disconnect();
      if (!settings.database) await migrated.drop();
    },
  };
}

async function newTenant(
  url: string,
  database: Database,
  options: { scopes?: Scope[]; expiresAt?: Date } = {},
): Promise<Tenant> {
  return database.asSystem(async (system) => {
    const { id } = await insertOrganization(system, { name: 'Test' });
    const { record, key } = await insertApiKey(system, {
      organizationId: id,
      name: 'test',
      environment: 'test',
      scopes: allScopes,
      ...options,
    });
    return {
      id,
      key,
      keyId: record.id,
      client: contractClient(url, { 'X-Api-Key': key, 'X-Org-Id': id }),
    };
  });
}
