import { randomBytes, randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import {
  findToolCall,
  insertAgent,
  insertConversation,
  insertOrganization,
  recordToolCall,
  startRealtimeSession,
  type Database,
  type OrganizationScope,
  type StoredToolCall,
} from '@parley/database';
import { connectRedis, type Redis, type RedisOptions } from '@parley/session-store';
import { migratedDatabase, plainAgent, testRedis, type MigratedDatabase } from '@parley/testkit';
import {
  createApprovalDesk,
  type ApprovalDesk,
  type ApprovalDeskOptions,
} from '#src/approval-desk.js';
import { approvalMetrics } from '#src/approval-metrics.js';

export const by = { kind: 'key', id: randomUUID(), name: 'backend' } as const;

type Stores = { db: MigratedDatabase; redis: Redis; redisUrl: string };
type Ids = { organizationId: string; agentId: string; conversationId: string };

/** A desk on real stores, and the calls of one organization. */
export class DeskScene {
  desk!: ApprovalDesk;
  registry!: Registry;
  readonly resumed: string[] = [];
  readonly timers = new Map<string, Date>();
  readonly errors: unknown[] = [];

  private constructor(
    readonly stores: Stores,
    readonly ids: Ids,
  ) {}

  static async open(options?: RedisOptions): Promise<DeskScene> {
    const db = await migratedDatabase();
    const { url } = options ?? (await testRedis());
    const redis = await connectRedis(options ?? { url, name: 'test' });
    return new DeskScene({ db, redis, redisUrl: url }, await newIds(db.database));
  }

  /** The same stores, and another organization. */
  async neighbour(): Promise<DeskScene> {
    const neighbour = new DeskScene(this.stores, await newIds(this.stores.db.database));
    neighbour.begin();
    return neighbour;
  }

  async close(): Promise<void> {
    this.stores.redis.disconnect();
    await this.stores.db.drop();
  }

  /** A new desk, which has counted nothing. */
  begin(): void {
    this.registry = new Registry();
    this.resumed.length = 0;
    this.errors.length = 0;
    this.timers.clear();
    this.desk = createApprovalDesk(this.options());
  }

  options(database: Database = this.stores.db.database): ApprovalDeskOptions {
    return {
      ...{ database, redis: this.stores.redis },
      producer: {
        expireApproval: (id, deadline) => Promise.resolve(void this.timers.set(id, deadline)),
        enqueueRun: (runId) => Promise.resolve(void this.resumed.push(runId)),
      },
      metrics: approvalMetrics(this.registry),
      onError: (error) => this.errors.push(error),
    };
  }

  work<T>(step: (scope: OrganizationScope) => Promise<T>): Promise<T> {
    return this.stores.db.database.inOrganization(this.ids.organizationId, step);
  }

  async newCall(runId: string | null = null) {
    const { agentId, conversationId, organizationId } = this.ids;
    const sessionId = runId === null ? randomUUID() : null;
    const tokenHash = randomBytes(32);
    if (sessionId)
      await this.work((scope) =>
        startRealtimeSession(scope, {
          ...{ id: sessionId, agentId, conversationId, tokenHash, keyId: null },
        }),
      );
    const call = { id: randomUUID(), sessionId, runId };
    await this.work((scope) =>
      recordToolCall(scope, {
        ...{ ...call, conversationId, agentId, messageId: randomUUID(), parentId: null },
        ...{ callId: `call_${call.id}`, name: 'pay', arguments: {}, position: 1 },
        createdAt: new Date(),
      }),
    );
    return { ...call, organizationId, owner: `pod-${call.id}` };
  }

  async waitingCall(timeoutMs: number, runId: string | null = null) {
    const call = await this.newCall(runId);
    const ask = { timeoutMs, owner: call.owner, approvers: ['client', 'api'] } as const;
    return { ...call, deadline: await this.desk.open(call, ask) };
  }

  async stored(id: string): Promise<StoredToolCall> {
    return (await this.work((scope) => findToolCall(scope, id)))!;
  }

  async counted(name: string) {
    const { values } = await this.registry.getSingleMetric(name)!.get();
    return values.filter(({ value }) => value > 0);
  }

  auditOf(id: string) {
    return this.work(({ trx }) =>
      trx.selectFrom('auditLog').select(['action', 'actor']).where('resourceId', '=', id).execute(),
    );
  }
}

async function newIds(database: Database): Promise<Ids> {
  const { id: organizationId } = await database.asSystem((system) =>
    insertOrganization(system, { name: 'O' }),
  );
  return database.inOrganization(organizationId, async (scope) => {
    const agentId = await insertAgent(scope, plainAgent);
    return {
      organizationId,
      agentId,
      conversationId: (await insertConversation(scope, agentId)).id,
    };
  });
}
