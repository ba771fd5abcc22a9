import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { Registry } from 'prom-client';
import { approvalMetrics, createApprovalDesk, type ApprovalDesk } from '@parley/approvals';
import { createSecretBox, insertAgent, type Database, type RecordJournal } from '@parley/database';
import { createEgress } from '@parley/egress';
import {
  createLogger,
  createMetrics,
  listen,
  readConfig,
  type ConfigOf,
} from '@parley/service-kit';
import {
  connectRedis,
  createLiveSessions,
  createSessionTokens,
  type LiveSessions,
  type Redis,
  type SessionTicket,
  type SessionTokens,
} from '@parley/session-store';
import { migratedDatabase, testHost, testRedis } from '@parley/testkit';
import type { Gateway, GatewayOptions } from '#src/gateway.js';
import { open } from '#src/open.js';
import { createSessionRecords, type DatabaseRecords } from '#src/records/session-records.js';
import { relayLimits, type RelayLimits } from '#src/relay/relay-limits.js';
import { agentFields, insertConversation, newOrganization } from './organization.js';

type Stores = {
  redis: Redis;
  redisUrl: string;
  database: Database;
  databaseUrl: string;
  secretsKey: string;
  tokens: SessionTokens;
  live: LiveSessions;
  records: DatabaseRecords;
  /** Of the record's own metrics. */
  registry: Registry;
  organizationId: string;
  keyId: string;
  /** The API key itself. */
  key: string;
  agentId: string;
  conversationId: string;
};

export type StartOptions = {
  providerUrl?: string;
  providerKey?: string;
  /** What connections of the organization may reach although it is private. */
  egressAllow?: string[];
  settings?: Partial<StageSettings>;
  limits?: Partial<RelayLimits>;
  failuresPerMinute?: number;
  tokens?: GatewayOptions['tokens'];
  records?: GatewayOptions['records'];
  /** A connection of its own to Redis. */
  redis?: Redis;
  /** Where the agents are, if not on the stage's own. */
  database?: Database;
  /** That of the records, if those are not the stage's own. */
  journal?: RecordJournal;
  /** Sees each line of the log. */
  onLog?: (line: string) => void;
};

export type RunningGateway = {
  /** ws://host:port */
  readonly origin: string;
  /** The same of its internal port. */
  readonly internalOrigin: string;
  readonly gateway: Gateway;
  readonly logs: string[];
  metrics(): Promise<string>;
};

const config = readConfig('realtime-gateway', {
  DATABASE_URL: 'postgres://unused',
  REDIS_URL: 'redis://unused',
  SECRETS_KEY: randomBytes(32).toString('base64'),
});
if (!config.ok) throw new Error(config.problems.join());
type StageSettings = ConfigOf<'realtime-gateway'>;
export const defaultSettings: StageSettings = config.config;

export const silent = createLogger({
  app: 'test',
  level: 'fatal',
  destination: { write: () => undefined },
});

/** Real stores with one organization, agent and conversation, and any number of gateways on them. */
export class Stage {
  readonly stores: Stores;
  readonly #stops: (() => Promise<void> | void)[];

  private constructor(stores: Stores, stops: (() => Promise<void> | void)[]) {
    this.stores = stores;
    this.#stops = stops;
  }

  static async open(tools: unknown[] = []): Promise<Stage> {
    const redis = await testRedis();
    const client = await connectRedis({ url: redis.url, name: 'stage' });
    const target = await migratedDatabase();
    const { url, database } = target;
    const secretsKey = randomBytes(32).toString('base64');
    const { organizationId, keyId, key } = await newOrganization(database);
    const agentId = await database.inOrganization(organizationId, (scope) =>
      insertAgent(scope, agentFields(tools)),
    );
    const { registry } = createMetrics({ app: 'test' });
    const records = createSessionRecords({
      database,
      secretBox: createSecretBox(secretsKey),
      logger: silent,
      registry,
      settings: defaultSettings,
    });
    const stores = {
      redis: client,
      redisUrl: redis.url,
      database,
      live: createLiveSessions(client),
      databaseUrl: url,
      secretsKey,
      tokens: createSessionTokens(client),
      records,
      registry,
      organizationId,
      keyId,
      key,
      agentId,
      conversationId: await insertConversation(url, organizationId, agentId),
    };
    return new Stage(stores, [
      () => target.drop(),
      () => client.disconnect(),
      () => records.close(),
    ]);
  }

  async close(): Promise<void> {
    for (const stop of this.#stops.reverse()) await stop();
  }

  onClose(stop: () => Promise<void> | void): void {
    this.#stops.push(stop);
  }

  async startGateway(options: StartOptions = {}): Promise<RunningGateway> {
    const { tokens, records, database, redisUrl, secretsKey } = this.stores;
    const { redis = this.stores.redis } = options;
    const { failuresPerMinute: FAILED_ATTEMPTS_PER_MINUTE = 100_000, settings } = options;
    const mine = { TRUSTED_PROXIES: ['127.0.0.1'], FAILED_ATTEMPTS_PER_MINUTE };
    const config = { ...defaultSettings, DRAIN_TIMEOUT_SECONDS: 1, ...mine, ...settings };
    const host = testHost('test', config, options.onLog);
    this.onClose(() => host.stop());
    const egress = createEgress(['127.0.0.1']);
    host.lifecycle.add('egress', () => egress.close());
    const { providerUrl: baseUrl, providerKey: secret = null } = options;
    const internal = createServer();
    const local = { host: '127.0.0.1', port: 0 };
    const internalPort = await listen(internal, { ...local, setting: 'INTERNAL_PORT' });
    host.lifecycle.add('internal server', () => void internal.close());
    const { gateway, ...served } = await open({
      ...host,
      internal: {
        address: `127.0.0.1:${internalPort}`,
        onUpgrade: (listener) => void internal.on('upgrade', listener),
      },
      database: options.database ?? database,
      redis,
      redisOptions: { url: redisUrl, name: 'stage' },
      secretBox: createSecretBox(secretsKey),
      egress,
      aimed: createEgress(options.egressAllow ?? []),
      defaultConnection:
        baseUrl === undefined ? undefined : { kind: 'openai-compatible', baseUrl, secret },
      tokens: options.tokens ?? tokens,
      recording: {
        records: options.records ?? records,
        journal: options.journal ?? records.journal,
      },
      limits: { ...relayLimits, ...options.limits },
    });
    const server = createServer(served.handle).on('upgrade', gateway.handleUpgrade);
    const port = await listen(server, { host: '127.0.0.1', port: 0, setting: 'PORT' });
    host.lifecycle.add('server', () => {
      server.close();
      server.closeAllConnections();
    });
    host.lifecycle.add('sessions', gateway.drain);
    const { lines: logs, registry } = host;
    return {
      origin: `ws://127.0.0.1:${port}`,
      internalOrigin: `ws://127.0.0.1:${internalPort}`,
      gateway,
      logs,
      metrics: () => registry.metrics(),
    };
  }

  /** An agent of another organization, and a conversation with it. */
  async neighbour(): Promise<
    Pick<SessionTicket, 'organizationId' | 'keyId' | 'agentId' | 'conversationId'>
  > {
    const { database, databaseUrl } = this.stores;
    const { organizationId, keyId } = await newOrganization(database);
    const agentId = await database.inOrganization(organizationId, (scope) =>
      insertAgent(scope, agentFields([])),
    );
    const conversationId = await insertConversation(databaseUrl, organizationId, agentId);
    return { organizationId, keyId, agentId, conversationId };
  }

  addAgent(tools: unknown[]): Promise<string> {
    const { database, organizationId } = this.stores;
    return database.inOrganization(organizationId, (scope) =>
      insertAgent(scope, agentFields(tools)),
    );
  }

  /** As another process decides: with a hint to whoever waits. */
  async decide(messageId: string, decision: 'approved' | 'rejected'): Promise<void> {
    const { database, organizationId } = this.stores;
    const { id } = await database.inOrganization(organizationId, ({ trx }) =>
      trx
        .selectFrom('toolCalls')
        .select('id')
        .where('messageId', '=', messageId)
        .executeTakeFirstOrThrow(),
    );
    const by = { kind: 'key', id: randomUUID(), name: 'backend' } as const;
    await this.desk().decide({ id, organizationId }, decision, by);
  }

  /** Where another process opens and decides approvals. Nobody runs its timers. */
  desk(redis: Pick<Redis, 'publish'> = this.stores.redis): ApprovalDesk {
    return createApprovalDesk({
      ...{ database: this.stores.database, redis },
      producer: { expireApproval: () => Promise.resolve(), enqueueRun: () => Promise.resolve() },
      metrics: approvalMetrics(this.stores.registry),
      onError: (error) => {
        throw error;
      },
    });
  }

  /** A session that the API would have created. */
  async issue(
    ticket: Partial<SessionTicket> = {},
    ttlSeconds = 60,
  ): Promise<{ token: string; path: string }> {
    const { organizationId, keyId, agentId, conversationId } = this.stores;
    const whole: SessionTicket = {
      organizationId,
      agentId,
      conversationId,
      keyId,
      voice: 'alloy',
      inputAudioFormat: 'pcm16',
      outputAudioFormat: 'pcm16',
      additionalInstructions: null,
      clientTools: [],
      fileIds: [],
      ...ticket,
    };
    const { token } = await this.stores.tokens.issue(whole, ttlSeconds);
    return { token, path: sessionPath(whole, token) };
  }
}

export function sessionPath(
  { agentId, conversationId }: { agentId: string; conversationId: string },
  token: string,
): string {
  return `/api/v1/Agent/${agentId}/realtime?conversationId=${conversationId}&sessionId=${token}`;
}
