import { expect } from 'chai';
import { after, explore, type Model, type Step } from './explore.js';

/** Two clients present the same token to two pods at once, whatever happens to Redis and the pods. */
type Pod = {
  readonly name: 'a' | 'b';
  at: 'consume' | 'resend' | 'delete' | 'fence' | 'open' | 'opened' | 'refused' | 'crashed';
};
type World = {
  redis: { ticket: boolean; tombstone: string | null; receipt: boolean };
  postgres: { usedBy: string | null };
  pods: Pod[];
  /** How often Redis was restored from a backup that has the ticket, and lost everything. */
  restored: number;
  emptied: number;
};

/** The guards, each of which a mutation removes. */
type Guards = {
  /** consume-token.lua: GETDEL, and not a GET that somebody else may come after. */
  readonly atomicRedeem: boolean;
  /** `realtime_sessions_token_hash_key`, unique, in the transaction that admits. */
  readonly fence: boolean;
  /** Whether Redis may come back from a backup. */
  readonly restores: boolean;
};

const everything: Guards = { atomicRedeem: true, fence: true, restores: true };

function tokens(guards: Guards): Model<World> {
  return {
    initial: {
      redis: { ticket: true, tombstone: null, receipt: false },
      postgres: { usedBy: null },
      pods: [
        { name: 'a', at: 'consume' },
        { name: 'b', at: 'consume' },
      ],
      restored: 0,
      emptied: 0,
    },
    steps: (world) => [...redisSteps(world), ...world.pods.flatMap((_, n) => podSteps(world, n))],
    problemOf({ pods }) {
      const opened = pods.filter(({ at }) => at === 'opened');
      return opened.length > 1 ? 'the token opened two sessions' : undefined;
    },
  };

  function podSteps(world: World, n: number): Step<World>[] {
    const { name, at } = world.pods[n]!;
    const act = (does: string, change: (copy: World, pod: Pod) => void) =>
      after(world, `${name} ${does}`, (copy) => change(copy, copy.pods[n]!));
    const crash = act('crashes', (_, pod) => void (pod.at = 'crashed'));
    switch (at) {
      // packages/session-store/lua/consume-token.lua, called in apps/realtime-gateway/src/admission/admit.ts.
      case 'consume':
      case 'resend':
        return [
          crash,
          act('redeems', (copy, pod) => void (pod.at = redeem(copy, name))),
          // ioredis sends a command again whose reply was lost.
          ...(at === 'consume'
            ? [
                act('redeems, and the reply is lost', (copy, pod) => {
                  redeem(copy, name);
                  pod.at = 'resend';
                }),
              ]
            : []),
        ];
      case 'delete':
        return [
          crash,
          act('deletes what it has read', (copy, pod) => {
            copy.redis = { ticket: false, tombstone: name, receipt: true };
            pod.at = 'fence';
          }),
        ];
      // startRealtimeSession in packages/database/src/conversations/realtime-sessions.ts.
      case 'fence':
        return [
          crash,
          act('fences the token', (copy, pod) => {
            const isUsed = guards.fence && copy.postgres.usedBy !== null;
            copy.postgres.usedBy ??= name;
            pod.at = isUsed ? 'refused' : 'open';
          }),
          act('fences the token, and the commit’s reply is lost', (copy, pod) => {
            copy.postgres.usedBy ??= name;
            pod.at = 'refused';
          }),
        ];
      case 'open':
        return [crash, act('opens the session', (_, pod) => void (pod.at = 'opened'))];
      case 'opened':
      case 'refused':
      case 'crashed':
        return [];
    }
  }

  function redeem({ redis }: World, attempt: string): Pod['at'] {
    if (redis.ticket) {
      if (!guards.atomicRedeem) return 'delete';
      Object.assign(redis, { ticket: false, tombstone: attempt, receipt: true });
      return 'fence';
    }
    return redis.tombstone === attempt && redis.receipt ? 'fence' : 'refused';
  }

  function redisSteps(world: World): Step<World>[] {
    const { redis, restored, emptied } = world;
    return [
      ...(redis.receipt
        ? [after(world, 'the receipt expires', (copy) => void (copy.redis.receipt = false))]
        : []),
      ...(redis.tombstone !== null
        ? [after(world, 'the tombstone expires', (copy) => void (copy.redis.tombstone = null))]
        : []),
      ...(guards.restores && restored < 2
        ? [
            after(world, 'Redis is restored from a backup', (copy) => {
              copy.redis = { ticket: true, tombstone: null, receipt: false };
              copy.restored += 1;
            }),
          ]
        : []),
      ...(emptied < 1
        ? [
            after(world, 'Redis loses everything', (copy) => {
              copy.redis = { ticket: false, tombstone: null, receipt: false };
              copy.emptied += 1;
            }),
          ]
        : []),
    ];
  }
}

describe('every interleaving of two admissions with one token', () => {
  it('opens at most one session, and one where nothing goes wrong', () => {
    const { worlds, violation } = explore(tokens(everything));
    expect(violation).to.equal(undefined);
    expect(worlds.length).to.be.above(500);
    expect(worlds.some(({ pods }) => pods.some(({ at }) => at === 'opened'))).to.equal(true);
  });

  it('does so by Redis alone, as long as Redis keeps what it was told', () => {
    expect(explore(tokens({ ...everything, fence: false, restores: false })).violation).to.equal(
      undefined,
    );
  });

  it('does so by PostgreSQL alone', () => {
    expect(explore(tokens({ ...everything, atomicRedeem: false })).violation).to.equal(undefined);
  });

  it('would open two without the fence, once Redis is restored from a backup', () => {
    const { violation } = explore(tokens({ ...everything, fence: false }));
    expect(violation?.problem).to.equal('the token opened two sessions');
    expect(violation?.trace).to.include('Redis is restored from a backup');
  });

  it('would open two without either', () => {
    const guards = { atomicRedeem: false, fence: false, restores: false };
    expect(explore(tokens(guards)).violation?.trace).to.have.members([
      'a redeems',
      'b redeems',
      'a deletes what it has read',
      'b deletes what it has read',
      'a fences the token',
      'b fences the token',
      'a opens the session',
      'b opens the session',
    ]);
  });
});
