import type { KillableServer } from './killable-server.js';
import { waitFor } from './wait-for.js';
import { withRedis } from './with-redis.js';

type Loss = { others: readonly KillableServer[]; lose: (() => Promise<void>) | undefined };

/** Resolves when a replica can replace the master. The replica does not have what `lose` writes. */
export async function replaceable(master: KillableServer, { others, lose }: Loss): Promise<void> {
  const all = lose !== undefined;
  await waitFor(() => isFollowed(master, all), { what: 'a replica', timeoutMs: 20_000 });
  if (lose === undefined) return;
  await sever(master, others);
  await lose();
}

/** Whether a replica follows the master and, with `all`, has all its data. */
async function isFollowed({ url }: KillableServer, all: boolean): Promise<boolean> {
  const info = await withRedis(url, (redis) => redis.info('replication'));
  const offset = all ? `offset=${/^master_repl_offset:(\d+)/m.exec(info)?.[1]},` : '';
  return info.includes(`,state=online,${offset}`);
}

/**
 * Cuts the replicas off: they send a password that the master does not expect, and are rejected
 * until mend().
 */
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
