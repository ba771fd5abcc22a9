import { freePort } from '@parley/embedded';
import type { Redis } from 'ioredis';
import type { KillableServer } from './killable-server.js';
import type { RedisGuard } from './redis-guard.js';
import { startRedisServer } from './redis-server.js';
import type { RedisTopology } from './redis-topology.js';
import { mend, replaceable } from './replication.js';
import { waitFor } from './wait-for.js';
import { withRedis } from './with-redis.js';

/** Three masters, each with a replica that takes over within a few seconds. */
export type RedisCluster = RedisTopology & {
  /** Starts to move a key's slot to another master. */
  migrateSlot(key: string): Promise<SlotMigration>;
};

export type SlotMigration = {
  /**
   * Moves the keys that are in the slot now. From then on, the old master redirects clients to the
   * new one (ASK).
   */
  moveKeys(): Promise<void>;
  /** Moves the rest, and notifies all masters. */
  finish(): Promise<void>;
};

type Member = {
  readonly server: KillableServer;
  readonly id: string;
  readonly busPort: number;
};

const SLOTS = 16_384;
const MASTERS = 3;

/** Suites that call this must call needs('redis-server'). Requires Redis 7 or later. */
export async function startRedisCluster(guard: RedisGuard = {}): Promise<RedisCluster> {
  const members = await Promise.all(Array.from({ length: 2 * MASTERS }, () => startMember(guard)));
  const [masters, replicas] = [members.slice(0, MASTERS), members.slice(MASTERS)];
  await Promise.all(masters.map(takeSlots));
  for (const member of members.slice(1)) await meet(members[0]!, member);
  await everyNode(members, (redis) => infoSays(redis, `cluster_known_nodes:${members.length}`));
  await Promise.all(replicas.map((replica, n) => follow(replica, masters[n]!)));
  await everyNode(members, (redis) => infoSays(redis, 'cluster_state:ok'));

  const up = new Set(members);
  const ownerOf = async (key: string): Promise<Member> => {
    const [witness] = up;
    const id = await withRedis(witness!.server.url, (redis) => ownerId(redis, key));
    return members.find((member) => member.id === id)!;
  };
  return {
    settings: { REDIS_URL: members.map(({ server }) => server.url).join(), REDIS_MODE: 'cluster' },
    async failover({ signal, key = '', lose } = {}) {
      const lost = await ownerOf(key);
      up.delete(lost);
      const others = members.filter((member) => member !== lost).map(({ server }) => server);
      await replaceable(lost.server, { others, lose });
      await lost.server.kill(signal);
      await everyNode(
        [...up],
        async (redis) =>
          (await infoSays(redis, 'cluster_state:ok')) && (await ownerId(redis, key)) !== lost.id,
      );
      await mend(others);
      return lost.server;
    },
    async migrateSlot(key) {
      const source = await ownerOf(key);
      const target = masters.find((member) => member !== source && up.has(member))!;
      return beginMigration(key, { source, target, masters: masters.filter((one) => up.has(one)) });
    },
    async stop() {
      await Promise.all(members.map(({ server }) => server.stop()));
    },
  };
}

async function startMember(guard: RedisGuard): Promise<Member> {
  const server = await startRedisServer({
    ...guard,
    args: async () => [
      ...['--cluster-enabled', 'yes', '--cluster-port', String(await freePort())],
      ...['--cluster-node-timeout', '1000', '--repl-diskless-sync-delay', '0'],
      ...(guard.tls ? ['--tls-cluster', 'yes'] : []),
    ],
  });
  return withRedis(server.url, async (redis) => {
    const [, busPort] = await redis.config('GET', 'cluster-port');
    return { server, id: await redis.cluster('MYID'), busPort: Number(busPort) };
  });
}

async function takeSlots({ server }: Member, n: number): Promise<void> {
  const [start, end] = [n, n + 1].map((part) => Math.floor((part * SLOTS) / MASTERS));
  await withRedis(server.url, async (redis) => {
    await redis.call('CLUSTER', 'SET-CONFIG-EPOCH', n + 1);
    await redis.call('CLUSTER', 'ADDSLOTSRANGE', start!, end! - 1);
  });
}

async function meet(member: Member, { server, busPort }: Member): Promise<void> {
  await withRedis(member.server.url, (redis) =>
    redis.call('CLUSTER', 'MEET', '127.0.0.1', server.port, busPort),
  );
}

async function follow(replica: Member, master: Member): Promise<void> {
  await withRedis(replica.server.url, async (redis) => {
    await redis.cluster('REPLICATE', master.id);
    await waitFor(async () => (await redis.info('replication')).includes('link_status:up'), {
      what: 'the replica to follow its master',
    });
  });
}

async function everyNode(
  members: readonly Member[],
  agrees: (redis: Redis) => Promise<boolean>,
): Promise<void> {
  const settled = { what: 'every node of the cluster to agree', timeoutMs: 20_000 };
  await Promise.all(
    members.map(({ server }) =>
      withRedis(server.url, (redis) => waitFor(() => agrees(redis), settled)),
    ),
  );
}

async function infoSays(redis: Redis, line: string): Promise<boolean> {
  return String(await redis.call('CLUSTER', 'INFO')).includes(`${line}\r\n`);
}

async function ownerId(redis: Redis, key: string): Promise<string | undefined> {
  const slot = await redis.cluster('KEYSLOT', key);
  const ranges = await redis.cluster('SLOTS');
  return ranges.find(([start, end]) => start <= slot && slot <= end)?.[2]?.[2];
}

type Route = { source: Member; target: Member; masters: readonly Member[] };

async function beginMigration(
  key: string,
  { source, target, masters }: Route,
): Promise<SlotMigration> {
  const from = source.server.url;
  const slot = await withRedis(from, (redis) => redis.cluster('KEYSLOT', key));
  const setSlot = ({ server }: Member, state: string, id: string) =>
    withRedis(server.url, (redis) => redis.call('CLUSTER', 'SETSLOT', slot, state, id));
  const moveKeys = () =>
    withRedis(from, async (redis) => {
      const keys = await redis.cluster('GETKEYSINSLOT', slot, 1000);
      const to = ['127.0.0.1', target.server.port, '', 0, 5000] as const;
      if (keys.length > 0) await redis.call('MIGRATE', ...to, 'KEYS', ...keys);
    });
  await setSlot(target, 'IMPORTING', source.id);
  await setSlot(source, 'MIGRATING', target.id);
  return {
    moveKeys,
    async finish() {
      await moveKeys();
      const others = masters.filter((member) => member !== target);
      for (const member of [target, ...others]) await setSlot(member, 'NODE', target.id);
    },
  };
}
