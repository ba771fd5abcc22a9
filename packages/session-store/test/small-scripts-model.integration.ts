import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { fuzz, testRedis } from '@parley/testkit';
import { createAuditWatch, type AuditState } from '#src/audit-watch.js';
import { createConsoleSessions, type ConsoleSession } from '#src/console-sessions.js';
import { createEventLog } from '#src/event-log.js';
import { auditWatchKey, eventsKey, liveKeys } from '#src/keys.js';
import { createLiveSessions, type LiveSession } from '#src/live-sessions.js';
import { createRateLimit } from '#src/rate-limits.js';
import { connectRedis } from '#src/redis-client.js';
import type { Redis } from '#src/topology.js';

describe('the scripts of limits, events, the console, lost sessions and audit verification', () => {
  let redis: Redis;
  before(async () => {
    const { url } = await testRedis();
    redis = await connectRedis({ url, name: 'test' });
  });
  after(() => redis.disconnect());

  it('count requests against two limits as a plain counter does', async () => {
    const limits = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }));
    await fc.assert(
      fc.asyncProperty(
        limits,
        fc.integer({ min: 1, max: 12 }),
        async ([first, second], requests) => {
          const caller = randomUUID();
          const limit = createRateLimit(redis, { name: 'first', perMinute: first });
          let [usedFirst, usedSecond] = [0, 0];
          for (let n = 0; n < requests; n += 1) {
            const kinds = (
              await limit.consumeWith({ name: 'second', perMinute: second }, caller)
            ).map(({ kind }) => kind);
            usedFirst += 1;
            if (usedFirst > first) expect(kinds).to.deep.equal(['limited']);
            else {
              usedSecond += 1;
              expect(kinds).to.deep.equal(['allowed', usedSecond > second ? 'limited' : 'allowed']);
            }
          }
        },
      ),
      fuzz(20),
    );
  });

  it('keep events as a plain list does, and give from each position on what follows it', async () => {
    const batch = fc.array(fc.string({ unit: 'grapheme', maxLength: 8 }), {
      minLength: 1,
      maxLength: 3,
    });
    const madeUp = fc.tuple(fc.nat(), fc.nat()).map(([ms, n]) => `${ms}-${n}`);
    const action = fc.oneof(
      fc.record({ append: batch }),
      fc.record({ readFrom: fc.nat(9) }),
      fc.record({ ask: fc.oneof(madeUp, fc.string({ maxLength: 8 })) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 20 }), async (actions) => {
        const log = createEventLog(redis);
        const organization = randomUUID();
        const list: string[] = [];
        const places = [{ place: (await log.read(organization)).place, seen: 0 }];
        for (const each of actions)
          if ('append' in each) {
            await log.append(organization, each.append);
            list.push(...each.append);
          } else if ('readFrom' in each) {
            const { place, seen } = places[each.readFrom % places.length]!;
            const read = await log.read(organization, place);
            expect(read.whole).to.equal(true);
            expect(read.events.map(({ event }) => event)).to.deep.equal(list.slice(seen));
            places.push({ place: read.place, seen: list.length });
          } else {
            const { whole, events } = await log.read(organization, each.ask);
            if (!whole) expect(events).to.deep.equal([]);
          }
        await redis.del(eventsKey(organization));
      }),
      fuzz(20),
    );
  });

  it('know who is signed in as a plain map does', async () => {
    const action = fc.record({ do: fc.constantFrom('open', 'use', 'end'), which: fc.nat(3) });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 20, size: 'max' }), async (actions) => {
        const sessions = createConsoleSessions(redis);
        const opened: { token: string; session: ConsoleSession | undefined }[] = [];
        for (const { do: what, which } of actions) {
          const one = opened[which];
          if (what === 'open') {
            const session = { userId: randomUUID(), memberId: null, epoch: which };
            opened.push({ token: await sessions.open(session), session });
          } else if (one && what === 'use')
            expect(await sessions.use(one.token)).to.deep.equal(one.session);
          else if (one) {
            await sessions.end(one.token);
            one.session = undefined;
          }
        }
        for (const { token, session } of opened) {
          expect(await sessions.use(token)).to.deep.equal(session);
          await sessions.end(token);
        }
      }),
      fuzz(20),
    );
  });

  it('find lost sessions as a plain list of silences does', async () => {
    const which = fc.nat(3);
    const action = fc.oneof(
      fc.record({ beat: which }),
      fc.record({ orphan: which }),
      // Far from each of the script's limits, so that the time a run takes does not matter.
      { weight: 3, arbitrary: fc.record({ pass: fc.constantFrom(8, 22, 38) }) },
      { weight: 3, arbitrary: fc.record({ look: fc.integer({ min: 1, max: 4 }) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 40, size: 'max' }), async (actions) => {
        const live = createLiveSessions(redis);
        await redis.del(liveKeys.beats, liveKeys.sessions, liveKeys.watch);
        const silent = new Map<LiveSession, { seconds: number; known: boolean }>();
        let watch: { since: number; last: number } | undefined;
        const own = Array.from({ length: 4 }, (_, n) => liveSession(n));
        for (const each of actions)
          if ('beat' in each) {
            const session = own[each.beat]!;
            await live.beat(session.pod, [session]);
            silent.set(session, { seconds: 0, known: true });
          } else if ('orphan' in each) {
            const session = own[each.orphan]!;
            await redis.hdel(liveKeys.sessions, session.id);
            const kept = silent.get(session);
            if (kept) kept.known = false;
          } else if ('pass' in each) {
            await pass(redis, each.pass);
            for (const kept of silent.values()) kept.seconds += each.pass;
            if (watch) watch = { since: watch.since + each.pass, last: watch.last + each.pass };
          } else {
            watch = { since: watch && watch.last <= 15 ? watch.since : 0, last: 0 };
            const seen = [...silent]
              .filter(([, { seconds }]) => watch!.since >= 30 && seconds >= 30)
              .sort(([, a], [, b]) => b.seconds - a.seconds);
            const found = await live.lost(each.look);
            expect(found.length).to.be.at.most(each.look);
            if (seen.length <= each.look)
              expect(found).to.have.deep.members(
                seen.filter(([, { known }]) => known).map(([session]) => session),
              );
            else expect(seen.map(([session]) => session)).to.deep.include.members(found);
            // What nobody knows is only looked at once.
            const beating = await redis.zrange(liveKeys.beats, '0', '-1');
            const dropped = seen.filter(([{ id }, { known }]) => !known && !beating.includes(id));
            for (const [session] of dropped) silent.delete(session);
            expect(beating).to.have.members([...silent.keys()].map(({ id }) => id));
          }
      }),
      fuzz(30),
    );
  });

  it('let one of several workers continue audit verification from a state', async () => {
    const action = fc.record({ do: fc.constantFrom('read', 'replace', 'lose'), worker: fc.nat(2) });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 20 }), async (actions) => {
        const watch = createAuditWatch(redis);
        await redis.del(auditWatchKey);
        const none = await watch.read();
        let state = none;
        const read: AuditState[] = [none, none, none];
        for (const [n, { do: what, worker }] of actions.entries())
          if (what === 'read') {
            read[worker] = await watch.read();
            expect(read[worker]).to.deep.equal(state);
          } else if (what === 'replace') {
            const next = { walk: null, verified: { startedAt: n, endedAt: n, broken: 0 } };
            const isCurrent = JSON.stringify(read[worker]) === JSON.stringify(state);
            expect(await watch.replace(read[worker]!, next)).to.equal(isCurrent);
            if (isCurrent) state = next;
          } else {
            await redis.del(auditWatchKey);
            state = none;
          }
        await redis.del(auditWatchKey);
      }),
      fuzz(30),
    );
  });
});

function liveSession(n: number): LiveSession {
  const [id, organizationId, agentId] = [randomUUID(), randomUUID(), randomUUID()];
  const conversationId = randomUUID();
  const startedAt = new Date(n).toISOString();
  return { id, organizationId, agentId, conversationId, pod: `pod-${n}`, startedAt };
}

/** To the scripts, time has passed: everything that they remember is that much older. */
async function pass(redis: Redis, seconds: number): Promise<void> {
  for (const id of await redis.zrange(liveKeys.beats, '0', '-1'))
    await redis.zincrby(liveKeys.beats, -seconds * 1000, id);
  const watch = await redis.get(liveKeys.watch);
  if (watch === null) return;
  const older = watch.split(' ').map((at) => Number(at) - seconds * 1000);
  await redis.set(liveKeys.watch, older.join(' '));
}
