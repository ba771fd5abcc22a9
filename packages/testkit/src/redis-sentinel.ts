import type { KillableServer } from './killable-server.js';
import { guardedUrl, type RedisGuard } from './redis-guard.js';
import { startRedisServer } from './redis-server.js';
import type { RedisTopology } from './redis-topology.js';
import { mend, replaceable } from './replication.js';
import { waitFor } from './wait-for.js';
import { withRedis } from './with-redis.js';

const NAME = 'parley-test';
const QUORUM = 2;
/**
 * Redis 7 lets a test speed up its sentinels; with earlier versions, everything takes a few seconds
 * longer.
 */
const HURRY = ['info-period', 'ping-period', 'ask-period', 'publish-period'].flatMap((period) => [
  period,
  '200',
]);

export type SentinelOptions = RedisGuard & {
  /** The password of the sentinels themselves. */
  readonly sentinelPassword?: string;
};

/**
 * One master, two replicas, and three sentinels that replace a master within a few seconds. Suites
 * that call this must call needs('redis-server').
 */
export async function startRedisSentinel(options: SentinelOptions = {}): Promise<RedisTopology> {
  const { sentinelPassword, ...guard } = options;
  const { tls, password } = guard;
  const atOnce = ['--repl-diskless-sync-delay', '0'];
  const first = await startRedisServer({ ...guard, args: atOnce });
  const args = [...atOnce, '--replicaof', '127.0.0.1', String(first.port)];
  const replicas = await Promise.all([1, 2].map(() => startRedisServer({ ...guard, args })));
  const servers = [first, ...replicas];
  await Promise.all(replicas.map(inSync));
  const config = [
    `sentinel monitor ${NAME} 127.0.0.1 ${first.port} ${QUORUM}`,
    `sentinel down-after-milliseconds ${NAME} 500`,
    `sentinel failover-timeout ${NAME} 1500`,
    ...(password === undefined ? [] : [`sentinel auth-pass ${NAME} ${password}`]),
    ...(sentinelPassword === undefined ? [] : [`sentinel sentinel-pass ${sentinelPassword}`]),
  ].join('\n');
  const sentinels = await Promise.all(
    [1, 2, 3].map(() =>
      startRedisServer({ tls, password: sentinelPassword, config, args: ['--sentinel'] }),
    ),
  );
  await Promise.all(sentinels.map(hurry));
  await Promise.all(sentinels.map((sentinel) => acquainted(sentinel, sentinels.length - 1)));

  const masterServer = async () => {
    const ports = await Promise.all(sentinels.map(masterPort));
    const server = servers.find(({ port }) => ports.every((named) => named === port));
    return server ?? Promise.reject(new Error(`The sentinels disagree: ${ports.join()}`));
  };
  return {
    settings: {
      REDIS_URL: sentinels.map(({ port }) => guardedUrl(guard, port)).join(),
      REDIS_MODE: 'sentinel',
      REDIS_SENTINEL_MASTER: NAME,
      ...(sentinelPassword !== undefined && { REDIS_SENTINEL_PASSWORD: sentinelPassword }),
    },
    async failover({ signal, lose } = {}) {
      const lost = await masterServer();
      const others = servers.filter((server) => server !== lost);
      await Promise.all(sentinels.map(seesReplica));
      await replaceable(lost, { others, lose });
      await lost.kill(signal);
      await waitFor(
        async () => {
          const server = await masterServer().catch(() => undefined);
          return server !== undefined && server !== lost && (await isMaster(server));
        },
        { what: 'another master', timeoutMs: 20_000 },
      );
      await mend(others);
      return lost;
    },
    async stop() {
      await Promise.all([...sentinels, ...servers].map((server) => server.stop()));
    },
  };
}

async function inSync({ url }: KillableServer): Promise<void> {
  await waitFor(
    () =>
      withRedis(url, async (redis) => (await redis.info('replication')).includes('link_status:up')),
    { what: 'the replica to follow its master' },
  );
}

async function hurry({ url }: KillableServer): Promise<void> {
  await withRedis(url, (redis) => redis.call('SENTINEL', 'DEBUG', ...HURRY)).catch(() => undefined);
}

/**
 * Waits until a sentinel knows the replicas and the other sentinels: before that, it cannot replace
 * a master.
 */
async function acquainted({ url }: KillableServer, colleagues: number): Promise<void> {
  const known = (
    redis: { call(...words: [string, ...string[]]): Promise<unknown> },
    what: string,
  ) => redis.call('SENTINEL', what, NAME).then((list) => (list as unknown[]).length);
  await waitFor(
    () =>
      withRedis(
        url,
        async (redis) =>
          (await known(redis, 'sentinels')) === colleagues &&
          (await known(redis, 'replicas')) === 2,
      ),
    { what: 'the sentinels to meet', timeoutMs: 20_000 },
  );
}

/**
 * A server that came back is a replica only once the sentinels have reconfigured it, and have seen
 * it.
 */
async function seesReplica({ url }: KillableServer): Promise<void> {
  const fit = ['flags,slave', 'role-reported,slave', 'master-link-status,ok'];
  await waitFor(
    async () => {
      const reply = await withRedis(url, (redis) => redis.call('SENTINEL', 'replicas', NAME));
      const replicas = (reply as string[][]).map((fields) => `,${fields.join()},`);
      return replicas.some((fields) => fit.every((pair) => fields.includes(`,${pair},`)));
    },
    { what: 'a replica that can take over', timeoutMs: 20_000 },
  );
}

async function masterPort({ url }: KillableServer): Promise<number> {
  const address = await withRedis(url, (redis) =>
    redis.call('SENTINEL', 'get-master-addr-by-name', NAME),
  );
  return Number((address as string[])[1]);
}

async function isMaster({ url }: KillableServer): Promise<boolean> {
  const [role] = await withRedis(url, (redis) => redis.role());
  return role === 'master';
}
