import type { KillableServer } from './killable-server.js';
import { waitFor } from './wait-for.js';
import { withRedis } from './with-redis.js';

type Loss = { others: readonly KillableServer[]; lose: (() => Promise<void>) | undefined };

/** Resolves when a replica can take the master's place. What `lose` writes, the replica does not have. */
export async function replaceable(master: KillableServer, { others, lose }: Loss): Promise<void> {
  const all = lose !== undefined;
  await waitFor(() => isFollowed(master, all), { what: 'a replica', timeoutMs: 20_000 });
  if (lose === undefined) return;
  await sever(master, others);
  await lose();
}

/** Whether a replica follows, and with `all`, has everything that the master has. */
async function isFollowed({ url }: KillableServer, all: boolean): Promise<boolean> {
  const info = await withRedis(url, (redis) => redis.info('replication'));
  const offset = all ? `offset=${/^master_repl_offset:(\d+)/m.exec(info)?.[1]},` : '';
  return info.includes(`,state=online,${offset}`);
}

/** Cuts the replicas off. They try a password that nobody asked for, and are not let in again until mend(). */
async function sever(master: KillableServer, others: readonly KillableServer[]): Promise<void> {
  await enterWith(() => 'a password too many', others);
  await withRedis(master.url, (redis) => redis.call('CLIENT', 'KILL', 'TYPE', 'replica'));
}

export async function mend(others: readonly KillableServer[]): Promise<void> {
  await enterWith(({ url }) => decodeURIComponent(new URL(url).password), others);
}

async function enterWith(
  password: (server: KillableServer) => string,
  servers: readonly KillableServer[],
): Promise<void> {
  await Promise.allSettled(
    servers.map((server) =>
      withRedis(server.url, (redis) => redis.config('SET', 'masterauth', password(server))),
    ),
  );
}
