import type { Redis } from 'ioredis';
import { liveKeys } from './keys.js';
import { defineScript, type ScriptRunner } from './lua-script.js';
import { publishTo, type Publisher } from './pod-channel.js';

export type LiveSession = {
  readonly id: string;
  readonly organizationId: string;
  readonly agentId: string;
  readonly conversationId: string;
  readonly pod: string;
  readonly startedAt: string;
  /** host:port of its pod, for other pods; absent if they cannot reach it. */
  readonly address?: string | undefined;
};

type LiveSessionId = Pick<LiveSession, 'organizationId' | 'id'>;

export type LiveSessionPage = {
  readonly offset: number;
  readonly limit: number;
  readonly agentId?: string | undefined;
  readonly conversationId?: string | undefined;
};

/** The open sessions of all pods. A session is live as long as its pod keeps reporting it. */
export type LiveSessions = {
  /**
   * The heartbeat of one pod for all its sessions, every 5 s. Returns those that were revoked
   * meanwhile.
   */
  beat(pod: string, sessions: readonly LiveSession[]): Promise<string[]>;
  /** Registers a session. False if the organization has reached its limit. */
  enter(session: LiveSession, limit: number): Promise<boolean>;
  forget(session: LiveSessionId): Promise<void>;
  /** Undefined if there is no such session. Its pod may be gone. */
  find(id: string): Promise<LiveSession | undefined>;
  /** Whether a registered session is no longer listed, because its pod does not report it. */
  isSilent(id: string): Promise<boolean>;
  /**
   * The number of live sessions of one organization. Up to `enough`, those whose pods are gone may be
   * among them: finding out takes a look at each session.
   */
  count(organizationId: string, enough?: number): Promise<number>;
  /** The live sessions of one organization, oldest first. */
  list(
    organizationId: string,
    page: LiveSessionPage,
  ): Promise<{ items: LiveSession[]; total: number }>;
  /** Marks the session and notifies its pod. False if the organization has no such live session. */
  revoke(organizationId: string, id: string): Promise<boolean>;
  /**
   * Sessions whose pod fell silent. Call it every 10 s: after an interruption it returns none,
   * until all pods had time to report.
   */
  lost(limit: number): Promise<LiveSession[]>;
  /** Ends a lost session, even for its pod if that comes back. */
  giveUp(session: LiveSessionId): Promise<void>;
};

/** A session without a heartbeat for this long is no longer listed. */
export const goneAfterMs = 15_000;
/** A session without a heartbeat for this long is lost. */
export const lostAfterMs = 30_000;
/** A longer pause between two checks for lost sessions is an interruption. */
const gapMs = 15_000;
const sessionsPerBeat = 500;
const sessionsPerLook = 1000;
/**
 * A pod that comes back later than this finds the session ended in the record: nothing of it runs.
 */
const markMs = 24 * 60 * 60 * 1000;

export function createLiveSessions(
  redis: ScriptRunner & Publisher & Pick<Redis, 'hget'>,
): LiveSessions {
  const scripts = defineScripts(redis);
  const { beats, sessions, revoked, watch } = liveKeys;
  const keys = (organizationId: string) => [
    beats,
    sessions,
    liveKeys.ofOrganization(organizationId),
    revoked,
  ];
  return {
    async beat(pod, own) {
      const told = await Promise.all(
        batches(own).map((batch) =>
          scripts.beat(
            keys(batch.organizationId),
            batch.sessions.flatMap((session) => entryOf({ ...session, pod })),
          ),
        ),
      );
      return (told as string[][]).flat();
    },
    async enter(session, limit) {
      const args = [...entryOf(session), limit, goneAfterMs];
      return (await scripts.enter(keys(session.organizationId), args)) === 1;
    },
    count: async (organizationId, enough = 0) =>
      (await scripts.count(keys(organizationId), [goneAfterMs, enough])) as number,
    async forget({ organizationId, id }) {
      await scripts.forget(keys(organizationId), [id]);
    },
    async find(id) {
      const text = await redis.hget(sessions, id);
      return text === null ? undefined : (JSON.parse(text) as LiveSession);
    },
    isSilent: async (id) => (await scripts.isSilent([beats], [id, goneAfterMs])) === 1,
    list: (organizationId, page) =>
      listOf((from, skip, most) => {
        const args = [goneAfterMs, from, sessionsPerLook, skip, most];
        return scripts.list(keys(organizationId), args) as Promise<Looked>;
      }, page),
    async revoke(organizationId, id) {
      const marked = await scripts.revoke(keys(organizationId), [id, goneAfterMs, markMs]);
      if (marked === null) return false;
      const [{ pod } = { pod: '' }] = parsed([marked]);
      await publishTo(redis, pod, { kind: 'session', id });
      return true;
    },
    async lost(limit) {
      return parsed(await scripts.lost([beats, sessions, watch], [lostAfterMs, gapMs, limit]));
    },
    async giveUp({ organizationId, id }) {
      await scripts.giveUp(keys(organizationId), [id, markMs]);
    },
  };
}

function defineScripts(redis: ScriptRunner) {
  return {
    beat: defineScript(redis, 'beat-sessions'),
    enter: defineScript(redis, 'enter-session'),
    count: defineScript(redis, 'count-sessions'),
    forget: defineScript(redis, 'forget-session'),
    isSilent: defineScript(redis, 'is-session-silent'),
    list: defineScript(redis, 'list-sessions'),
    revoke: defineScript(redis, 'revoke-session'),
    lost: defineScript(redis, 'lost-sessions'),
    giveUp: defineScript(redis, 'give-up-session'),
  };
}

/** How many sessions were looked at, how many of them are live, and those that were asked for. */
type Looked = readonly [number, number, ...string[]];

/**
 * Looks at a limited number of sessions at a time, so that a long list blocks nobody else. While
 * that goes on, sessions may come and go, as between the pages.
 */
async function listOf(
  look: (from: number, skip: number, most: number) => Promise<Looked>,
  { offset, limit, agentId, conversationId }: LiveSessionPage,
): Promise<{ items: LiveSession[]; total: number }> {
  const isFiltered = agentId !== undefined || conversationId !== undefined;
  const isWanted = (session: LiveSession) =>
    (agentId === undefined || session.agentId === agentId) &&
    (conversationId === undefined || session.conversationId === conversationId);
  const items: LiveSession[] = [];
  let total = 0;
  for (let from = 0; ; from += sessionsPerLook) {
    const skip = isFiltered ? 0 : Math.max(0, offset - total);
    const most = isFiltered ? sessionsPerLook : limit - items.length;
    const [looked, live, ...texts] = await look(from, skip, most);
    const found = parsed(texts).filter(isWanted);
    const passed = isFiltered ? Math.max(0, offset - total) : 0;
    items.push(...found.slice(passed, passed + limit - items.length));
    total += isFiltered ? found.length : live;
    if (looked < sessionsPerLook) return { items, total };
  }
}

type Batch = { readonly organizationId: string; readonly sessions: readonly LiveSession[] };

/** Each script run is short and concerns one organization. */
function batches(sessions: readonly LiveSession[]): Batch[] {
  const byOrganization = new Map<string, LiveSession[]>();
  for (const session of sessions) {
    const list = byOrganization.get(session.organizationId);
    if (list) list.push(session);
    else byOrganization.set(session.organizationId, [session]);
  }
  return [...byOrganization].flatMap(([organizationId, list]) =>
    Array.from({ length: Math.ceil(list.length / sessionsPerBeat) }, (_, n) => ({
      organizationId,
      sessions: list.slice(n * sessionsPerBeat, (n + 1) * sessionsPerBeat),
    })),
  );
}

function entryOf(session: LiveSession): (string | number)[] {
  return [session.id, Date.parse(session.startedAt), JSON.stringify(session)];
}

function parsed(reply: unknown): LiveSession[] {
  return (reply as string[]).map((text) => JSON.parse(text) as LiveSession);
}
