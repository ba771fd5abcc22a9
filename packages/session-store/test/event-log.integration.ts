import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { expect } from 'chai';
import { testRedis } from '@parley/testkit';
import { createEventLog, eventsChannel, type EventLog } from '#src/event-log.js';
import { eventsKey } from '#src/keys.js';
import { connectRedis } from '#src/redis-client.js';
import { subscribe } from '#src/subscriber.js';
import type { Redis } from '#src/topology.js';

describe('the log of what happened lately', () => {
  let url: string;
  let redis: Redis;
  let log: EventLog;
  let organizationId: string;

  before(async () => {
    ({ url } = await testRedis());
    redis = await connectRedis({ url, name: 'test' });
    log = createEventLog(redis);
  });
  beforeEach(() => {
    organizationId = randomUUID();
  });
  after(() => redis.disconnect());

  const eventsAfter = async (place: string) => {
    const { whole, events } = await log.read(organizationId, place);
    return { whole, events: events.map(({ event }) => event) };
  };
  const numbered = (count: number) => Array.from({ length: count }, (_, n) => `event ${n}`);

  it('gives what came after a place, in order, and the place to go on from', async () => {
    const { place: start } = await log.read(organizationId);
    await log.append(organizationId, ['one', 'two']);
    await log.append(organizationId, ['three']);
    const { whole, events, place } = await log.read(organizationId, start);
    expect(whole).to.equal(true);
    expect(events.map(({ event }) => event)).to.deep.equal(['one', 'two', 'three']);
    expect(place).to.equal(events[2]?.id);
    expect(await eventsAfter(events[0]?.id ?? '')).to.deep.equal({
      whole: true,
      events: ['two', 'three'],
    });
    expect(await eventsAfter(place)).to.deep.equal({ whole: true, events: [] });
  });

  it('starts now for whoever names no place', async () => {
    await log.append(organizationId, ['before']);
    const { events, place } = await log.read(organizationId);
    expect(events).to.deep.equal([]);
    await log.append(organizationId, ['after']);
    expect(await eventsAfter(place)).to.deep.equal({ whole: true, events: ['after'] });
  });

  it('keeps organizations apart', async () => {
    const { place } = await log.read(organizationId);
    await log.append(randomUUID(), ['theirs']);
    expect(await eventsAfter(place)).to.deep.equal({ whole: true, events: [] });
  });

  it('hints whose events there are', async () => {
    const hints = new EventEmitter();
    const subscriber = await subscribe({
      ...{ url, name: 'test', channel: eventsChannel, onGap: () => undefined },
      onMessage: (message) => hints.emit(message, message),
    });
    const hinted = once(hints, organizationId);
    await log.append(organizationId, ['one']);
    expect(await hinted).to.deep.equal([organizationId]);
    subscriber.close();
  });

  it('keeps the last thousand, and says so when older ones are asked for', async () => {
    const { place } = await log.read(organizationId);
    await log.append(organizationId, numbered(2500));
    const length = await redis.xlen(eventsKey(organizationId));
    expect(length).to.be.within(1000, 1200);
    expect(await eventsAfter(place)).to.deep.equal({ whole: false, events: [] });
    const [[oldest] = ['']] = await redis.xrange(eventsKey(organizationId), '-', '+', 'COUNT', 1);
    const { whole, events } = await eventsAfter(oldest);
    expect({ whole, count: events.length }).to.deep.equal({ whole: true, count: length - 1 });
  });

  it('forgets after ten minutes without events, and says so', async () => {
    await log.append(organizationId, ['one']);
    expect(await redis.pttl(eventsKey(organizationId))).to.be.within(590_000, 600_000);
    const [seconds] = await redis.time();
    const minutesAgo = (minutes: number) => `${(Number(seconds) - minutes * 60) * 1000}-0`;
    await redis.del(eventsKey(organizationId));
    expect(await eventsAfter(minutesAgo(9))).to.deep.equal({ whole: true, events: [] });
    expect(await eventsAfter(minutesAgo(11))).to.deep.equal({ whole: false, events: [] });
    await log.append(organizationId, ['two']);
    expect(await eventsAfter(minutesAgo(11))).to.deep.equal({ whole: false, events: [] });
    expect(await eventsAfter(minutesAgo(9))).to.deep.equal({ whole: true, events: ['two'] });
  });

  for (const place of ['x', '1-', '-1', '1-1-1', '9'.repeat(40), '99999999999999-0', '0-0', '(1-1'])
    it(`does not know the place ${place.slice(0, 20)}`, async () => {
      await log.append(organizationId, ['one']);
      expect(await eventsAfter(place)).to.deep.equal({ whole: false, events: [] });
    });
});
