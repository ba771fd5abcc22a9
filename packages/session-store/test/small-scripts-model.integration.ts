import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { fuzz, testRedis } from '@parley/testkit';
import { createConsoleSessions, type ConsoleSession } from '#src/console-sessions.js';
import { createEventLog } from '#src/event-log.js';
import { eventsKey } from '#src/keys.js';
import { createRateLimit } from '#src/rate-limits.js';
import { connectRedis } from '#src/redis-client.js';
import type { Redis } from '#src/topology.js';

describe('the scripts of limits, events and the console', () => {
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
      fc.asyncProperty(fc.array(action, { maxLength: 20 }), async (actions) => {
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
        for (const { token } of opened) await sessions.end(token);
      }),
      fuzz(20),
    );
  });
});
