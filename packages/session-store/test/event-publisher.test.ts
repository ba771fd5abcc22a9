import { expect } from 'chai';
import { createEventPublisher } from '#src/event-publisher.js';

type Appended = [organizationId: string, types: string[]];

/** A log that takes events or not, as it is told. */
function scriptedLog() {
  const appended: Appended[] = [];
  const outcomes: string[] = [];
  let waiting: ((taken: Appended) => void) | undefined;
  const log = {
    fails: false,
    hangs: false,
    async append(organizationId: string, events: readonly string[]) {
      if (log.hangs) await new Promise(() => undefined);
      if (log.fails) throw new Error('Redis is away');
      const types = events.map((event) => (JSON.parse(event) as { type: string }).type);
      appended.push([organizationId, types]);
      waiting?.([organizationId, types]);
    },
  };
  return {
    log,
    appended,
    outcomes,
    onOutcome: (outcome: string, events: number) => void outcomes.push(`${outcome} ${events}`),
    next: () => new Promise<Appended>((resolve) => (waiting = resolve)),
  };
}

const event = (organizationId: string, type: string) => ({ organizationId, type, data: {} });
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('publishing events', () => {
  it('appends what happened to the log of each organization', async () => {
    const stage = scriptedLog();
    const publish = createEventPublisher(stage);
    publish([event('a', 'one'), event('b', 'two'), event('a', 'three')]);
    await settled();
    expect(stage.appended).to.deep.equal([
      ['a', ['one', 'three']],
      ['b', ['two']],
    ]);
    expect(stage.outcomes).to.deep.equal(['published 2', 'published 1']);
  });

  it('tells listeners to read again once Redis takes events that it did not take before', async () => {
    const stage = scriptedLog();
    const publish = createEventPublisher({ ...stage, retryMs: 1 });
    stage.log.fails = true;
    publish([event('a', 'one')]);
    publish([event('a', 'two')]);
    await settled();
    expect(stage.outcomes).to.deep.equal(['lost 1', 'lost 1']);
    const next = stage.next();
    stage.log.fails = false;
    expect(await next).to.deep.equal(['a', ['resync']]);
  });

  it('gives up what comes while too much is under way', async () => {
    const stage = scriptedLog();
    const publish = createEventPublisher({ ...stage, maxUnderWay: 2, retryMs: 1_000_000 });
    stage.log.hangs = true;
    for (const type of ['one', 'two', 'three']) publish([event('a', type)]);
    await settled();
    expect(stage.outcomes).to.deep.equal(['lost 1']);
  });
});
