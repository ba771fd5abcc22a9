import { randomBytes } from 'node:crypto';
import type { EventLimits } from '#src/events/event-desk.js';
import type { Events } from '#src/events/open-events.js';
import { open } from '#src/open.js';
import type { Questions } from '#src/questions/open-questions.js';
import type { SessionSettings } from '#src/sessions/session-operations.js';
import { createSecretBox, insertApiKey, insertOrganization, type Database } from '@parley/database';
import { createEgress } from '@parley/egress';
import type { FileStoreSettings } from '@parley/file-store';
import { allScopes, earlyAnswer, type QuotaSettings, type Scope } from '@parley/protocol';
import type { ProviderConnection } from '@parley/providers';
import {
  closeServer,
  createPublicServer,
  listen,
  requireConfig,
  type AppConfig,
  type Metrics,
} from '@parley/service-kit';
import {
  connectRedis,
  createEventLog,
  createEventPublisher,
  type Redis,
} from '@parley/session-store';
import { migratedDatabase, testHost, testRedis, type MigratedDatabase } from '@parley/testkit';
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
  realtime?: Partial<Pick<AppConfig<'api'>, keyof SessionSettings>>;
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
  const { database } = migrated;
  const secretsKey = randomBytes(32).toString('base64');
  const host = testHost('api', configOf(settings));
  const { lifecycle, registry, logger, lines: logLines } = host;
  if (!settings.database) lifecycle.add('database', () => migrated.drop());
  lifecycle.add('redis', () => redis.disconnect());
  const egress = createEgress(['127.0.0.1']);
  const aimed = createEgress(settings.egressAllow ?? []);
  for (const guard of [egress, aimed]) lifecycle.add('egress', () => guard.close());
  // Whoever brings a database has somebody told already.
  if (!settings.database)
    database.onAnnounced(
      createEventPublisher({ log: createEventLog(redis), onOutcome: () => undefined }),
    );
  const usual = { kind: 'openai', baseUrl: null, secret: 'sk-test' } as const;
  const { defaultConnection = usual } = settings;
  const { handle, questions, events } = await open({
    ...{ ...host, database, redis, egress, aimed },
    redisOptions: { url: redisUrl, name: 'test' },
    secretBox: createSecretBox(secretsKey),
    defaultConnection: defaultConnection ?? undefined,
    eventLimits: settings.events ?? {},
  });
  const server = createPublicServer({ handle, answerFor: earlyAnswer, logger });
  const { port: wanted = 0 } = settings;
  const port = await listen(server, { host: '127.0.0.1', port: wanted, setting: 'PORT' });
  lifecycle.add('server', () => {
    server.closeAllConnections();
    return closeServer(server, 60_000);
  });
  const url = `http://127.0.0.1:${port}`;
  return {
    ...{ url, database, redis, secretsKey, questions, events, logLines },
    databaseUrl: migrated.url,
    metrics: { registry },
    organization: (options) => newTenant(url, database, options),
    stop: () => host.stop(),
  };
}

function configOf(settings: TestSettings): AppConfig<'api'> {
  return {
    ...defaults,
    DATABASE_URL: 'postgres://unused',
    REDIS_URL: 'redis://unused',
    SECRETS_KEY: 'unused',
    PROVIDER_TEXT_MODEL: 'sim-text',
    QUESTION_TIMEOUT_SECONDS: settings.questionTimeoutSeconds ?? 120,
    REALTIME_APPROVAL_TIMEOUT_SECONDS: settings.approvalTimeoutSeconds ?? 300,
    RATE_LIMIT_PER_MINUTE: settings.perMinute ?? 100_000,
    RATE_LIMIT_SESSIONS_PER_MINUTE: settings.sessionsPerMinute ?? 100_000,
    FAILED_ATTEMPTS_PER_MINUTE: settings.failuresPerMinute ?? 100_000,
    TRUSTED_PROXIES: settings.trustedProxies ?? [],
    OPENAI_DOOR: settings.door ?? true,
    CONSOLE_FRAME_ANCESTORS: settings.frameAncestors ?? [],
    MAX_BODY_BYTES: settings.maxBodyBytes ?? 1_048_576,
    TEMPORARY_FILE_MAX_BYTES: settings.maxFileBytes ?? 20_971_520,
    ...fileDefaults,
    ...settings.fileStorage,
    ...settings.realtime,
    ...settings.quotas,
    ...settings.people,
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
