// What a cluster at rest has open. After a fault, it has to return there.
import { readdirSync, readlinkSync } from 'node:fs';

/** How much more than before counts as the same: pools and keep-alive connections breathe. */
const slack = { sockets: 12, timers: 15, megabytes: 120 };

/**
 * Members expire, and are removed when the next one is added; and each queue has lists of its jobs by
 * state, which come and go. The jobs themselves are counted, but for those in the list of the failed:
 * of these, the last thousand are kept for a day.
 */
const bounded = /^parley:\{live\}:revoked$|^parley:\{jobs\}:\w+:[a-z-]+$/;

/** By process: open sockets, timers and the heap. A process that was started again counts anew. */
export async function vitals(process) {
  const response = await fetch(`http://127.0.0.1:${process.internalPort}/metrics`);
  const lines = (await response.text()).split('\n');
  const value = (start) =>
    Number(
      lines
        .find((line) => line.startsWith(start))
        ?.split(' ')
        .at(-1),
    );
  return {
    sockets: openSockets(process.pid),
    timers: value('nodejs_active_resources{type="Timeout"') || 0,
    megabytes: Math.round(value('process_resident_memory_bytes') / 2 ** 20),
    delayMs: Math.round(value('nodejs_eventloop_lag_p99_seconds') * 1000),
  };
}

/**
 * Read in one step: the job of a schedule is replaced by the next one every few seconds, and would
 * be missed by a reader that comes to its key after it is gone.
 */
const readLastingKeys = `
  local lasting = {}
  for _, key in ipairs(redis.call('KEYS', '*')) do
    if redis.call('PTTL', key) == -1 then lasting[#lasting + 1] = key end
  end
  return lasting`;

/** The keys that never expire by themselves, counted by their kind. */
export async function lastingKeys(redis) {
  const kinds = {};
  const failed = await failedJobs(redis);
  for (const key of await redis.eval(readLastingKeys, 0)) {
    if (bounded.test(key) || failed.has(key)) continue;
    const kind = key.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{64}|\d{5,}/g, '*');
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  return kinds;
}

async function failedJobs(redis) {
  const lists = await redis.keys('parley:{jobs}:*:failed');
  const ids = await Promise.all(lists.map((list) => redis.zrange(list, 0, -1)));
  const queues = lists.map((list) => list.slice(0, -'failed'.length));
  return new Set(queues.flatMap((queue, n) => ids[n].map((id) => queue + id)));
}

export async function takeBaseline(stage) {
  const processes = new Map();
  for (const process of stage.cluster.pods) {
    const now = await vitals(process);
    const most = processes.get(process.app) ?? now;
    const larger = (name) => Math.max(most[name], now[name]);
    processes.set(process.app, {
      ...{ sockets: larger('sockets'), timers: larger('timers'), megabytes: larger('megabytes') },
    });
  }
  return { processes, keys: await lastingKeys(stage.redis) };
}

/** What exceeds the baseline now. */
export async function leaks(stage, { processes, keys }) {
  const found = [];
  for (const process of stage.cluster.pods) {
    const [now, before] = [await vitals(process), processes.get(process.app)];
    for (const [name, more] of Object.entries(slack))
      if (now[name] > before[name] + more)
        found.push(`${process.app} has ${now[name]} ${name}, ${before[name]} before`);
  }
  for (const [kind, count] of Object.entries(await lastingKeys(stage.redis)))
    if (count > (keys[kind] ?? 0))
      found.push(`Redis has ${count} of ${kind}, ${keys[kind] ?? 0} before`);
  return found;
}

function openSockets(pid) {
  const folder = `/proc/${pid}/fd`;
  const isSocket = (fd) => {
    try {
      return readlinkSync(`${folder}/${fd}`).startsWith('socket:');
    } catch {
      return false;
    }
  };
  return readdirSync(folder).filter(isSocket).length;
}
