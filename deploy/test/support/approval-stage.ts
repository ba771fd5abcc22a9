import { Pool } from 'pg';
import { connectRedis, type Redis } from '@parley/session-store';
import { waitFor } from '@parley/testkit';
import type { AppProcess } from './app-process.js';
import { Cluster } from './cluster.js';
import { CountingTool } from './counting-tool.js';
import { inParallel } from './proof-scale.js';
import type { ServiceClient } from './service-client.js';
import type { Event, Session } from './session.js';

/** A tool call that waits for a person: paying a bill, each bill once. */
export type Waiting = {
  id: string;
  callId: string;
  bill: string;
  deadline: Date;
  session: Session;
};
/** What the record says about a call. */
export type Recorded = { id: string; bill: string; approval: string; finished: boolean };

/** Has PostgreSQL itself note every decision, whoever makes it. */
const noting = `
  create table decisions (id uuid not null);
  create function note_decision() returns trigger language plpgsql security definer as $$
    begin insert into public.decisions values (new.id); return new; end $$;
  create trigger note_decision after update of approval on tool_calls for each row
    when (old.approval is not null and old.approval is distinct from new.approval)
    execute function note_decision();`;

/** As many as one session lets wait. */
const perSession = 16;

/** One api, three gateways and two workers, whose agent pays bills that a person approves. */
export class ApprovalStage {
  readonly cluster: Cluster;
  readonly tool: CountingTool;
  readonly rest: ServiceClient;
  readonly pool: Pool;
  readonly #redis: Redis;
  readonly #agentId: string;
  #bills = 0;

  private constructor(parts: {
    cluster: Cluster;
    tool: CountingTool;
    redis: Redis;
    agentId: string;
  }) {
    this.cluster = parts.cluster;
    this.tool = parts.tool;
    this.#redis = parts.redis;
    this.#agentId = parts.agentId;
    this.rest = this.cluster.client();
    this.pool = new Pool({ connectionString: this.cluster.databaseUrl });
  }

  static async open(): Promise<ApprovalStage> {
    const tool = await CountingTool.start();
    const cluster = await Cluster.start({
      ...{ apis: 1, gateways: 3, workers: 2 },
      env: { REALTIME_APPROVAL_TIMEOUT_SECONDS: '10' },
    });
    const agentId = await cluster.client().createAgent([tool.definition]);
    const redis = await connectRedis({ url: cluster.redis.url, name: 'proofs' });
    const stage = new ApprovalStage({ cluster, tool, redis, agentId });
    await stage.pool.query(noting);
    return stage;
  }

  async close(): Promise<void> {
    this.#redis.disconnect();
    await this.pool.end();
    await this.cluster.stop();
    this.tool.stop();
  }

  get redis(): Redis {
    return this.#redis;
  }

  /** The gateways begin anew, and give people this long to decide. */
  async beginAnew(seconds: number): Promise<void> {
    const { gateways } = this.cluster;
    await Promise.all(gateways.map((gateway) => gateway.kill()));
    const env = { REALTIME_APPROVAL_TIMEOUT_SECONDS: String(seconds) };
    await Promise.all(gateways.map((gateway) => gateway.restart(env)));
  }

  /** So many calls that wait, in as few sessions as can hold them; with a gateway named, all of them there. */
  async waiting(count: number, gateway?: AppProcess): Promise<Waiting[]> {
    const bills = Array.from({ length: count }, () => `bill-${++this.#bills}`);
    const sessions = Math.ceil(count / perSession);
    const opened = await inParallel({ count: sessions, width: 8 }, async (n) => {
      const mine = bills.slice(n * perSession, (n + 1) * perSession);
      const at = gateway?.origin ?? this.#anyGateway(n);
      const session = await this.rest.connect(this.#agentId, at);
      session.say(mine.map((bill) => `!call pay {"bill":"${bill}"}`).join(' '));
      await session.count('approval.waiting', mine.length);
      return this.#recordOf(mine, session);
    });
    return opened.flat();
  }

  /** What the record says once each of them is finished. */
  async ends(calls: readonly Waiting[], timeoutMs = 60_000): Promise<Recorded[]> {
    const query = `select id, arguments ->> 'bill' as bill, approval, finished_at is not null as finished
      from tool_calls where id = any($1)`;
    const ids = calls.map(({ id }) => id);
    return waitFor(
      async () => {
        const { rows } = await this.pool.query<Recorded>(query, [ids]);
        return rows.every(({ finished }) => finished) ? rows : undefined;
      },
      { what: 'every call to be finished', timeoutMs },
    );
  }

  /** How often each of these was decided, or decided anew. */
  async decisions(calls: readonly Waiting[]): Promise<number[]> {
    const { rows } = await this.pool.query<{ times: number }>(
      `select count(decisions.id)::int as times from unnest($1::uuid[]) call (id)
       left join decisions on decisions.id = call.id group by call.id`,
      [calls.map(({ id }) => id)],
    );
    return rows.map(({ times }) => times);
  }

  /** Keeps whoever lets one of these calls expire waiting in the middle of it, until it is released. */
  async hold(calls: readonly Waiting[]): Promise<{ release(): Promise<void> }> {
    const client = await this.pool.connect();
    await client.query('begin');
    const ids = calls.map(({ id }) => id);
    await client.query(
      `select from messages where id in (select message_id from tool_calls where id = any($1))
       for update`,
      [ids],
    );
    return {
      async release() {
        await client.query('rollback');
        client.release();
      },
    };
  }

  /** Resolves when a worker waits for what is held. */
  async workerHeld(): Promise<void> {
    const query = `select from pg_stat_activity where datname = current_database()
      and application_name = 'parley-worker' and wait_event_type = 'Lock'`;
    await waitFor(async () => (await this.pool.query(query)).rowCount, {
      what: 'a worker in the middle of its job',
      timeoutMs: 30_000,
    });
  }

  #anyGateway(n: number): string {
    const { gateways } = this.cluster;
    return gateways[n % gateways.length]!.origin;
  }

  async #recordOf(bills: readonly string[], session: Session): Promise<Waiting[]> {
    const { rows } = await this.pool.query<Omit<Waiting, 'session'>>(
      `select id, call_id as "callId", arguments ->> 'bill' as bill, deadline
       from tool_calls where arguments ->> 'bill' = any($1)`,
      [bills],
    );
    return rows.map((row) => ({ ...row, session }));
  }
}

/** The client's decision, on its own socket. */
export function decideOnSocket({ session, callId }: Waiting, decision: 'approve' | 'reject'): void {
  session.send({ type: `approval.${decision}`, callId });
}

/** How often a session was told that the call is done. */
export function timesDone({ session, callId }: Waiting): number {
  const isDone = (event: Event) =>
    event.type === 'response.function_invocation.done' &&
    (event['data'] as { callId: string }).callId === callId;
  return session.events.filter(isDone).length;
}
