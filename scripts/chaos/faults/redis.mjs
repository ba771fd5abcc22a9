// Redis goes away, forgets, or takes its time. Sessions that are open notice nothing.
import { startRedisServer, waitFor } from '@parley/testkit';
import { between } from './timing.mjs';

export const redis = {
  'Redis killed': {
    what: 'kill -9 of Redis, which comes back with its data',
    seconds: 4,
    start: ({ stage: { redisServer } }) =>
      between(
        () => redisServer.kill(),
        () => redisServer.restart(),
      ),
  },
  'Redis emptied': {
    what: 'Redis loses everything: tokens, sessions, schedules, timers',
    quick: true,
    seconds: 3,
    start: async ({ stage }) => void (await stage.redis.flushall()),
  },
  'Redis failed over': {
    what: 'a replica that is 3 s behind takes over',
    seconds: 4,
    start: failOver,
  },
  'Redis out of memory': {
    what: 'maxmemory with noeviction: Redis refuses every write',
    seconds: 5,
    start: ({ stage: { redis: client } }) =>
      between(
        () => client.config('SET', 'maxmemory', '1'),
        () => client.config('SET', 'maxmemory', '0'),
      ),
  },
  'Redis slow': {
    what: 'every reply of Redis takes 200 ms longer, each way',
    seconds: 6,
    start: ({ stage: { roads } }) =>
      between(
        () => roads.redis.delay(200),
        () => roads.redis.heal(),
      ),
  },
  'Redis black-holed': {
    what: 'nothing reaches Redis, and nobody says so',
    seconds: 8,
    start: ({ stage: { roads } }) =>
      between(
        () => roads.redis.blackHole(),
        () => roads.redis.heal(),
      ),
  },
  'Redis paused': {
    what: 'SIGSTOP of Redis',
    seconds: 6,
    start: ({ stage: { redisServer } }) =>
      between(
        () => redisServer.kill('SIGSTOP'),
        () => redisServer.kill('SIGCONT'),
      ),
  },
};

/** The replica stops following, and takes over some seconds later. */
async function failOver({ stage }) {
  const { port } = stage.redisServer;
  const args = ['--appendonly', 'yes', '--replicaof', '127.0.0.1', String(port)];
  const replica = await startRedisServer({ args });
  const isFollowed = async () =>
    (await stage.redis.info('replication')).includes('state=online,offset=');
  await waitFor(isFollowed, { what: 'the replica to follow' });
  await stage.useRedis(replica, { afterMs: 3000 });
}
