import { expect } from 'chai';
import { isDatabaseUnavailable } from '#src/postgres/availability.js';
import { connectionLanes, type Lane } from '#src/postgres/connection-lanes.js';

describe('a lane of connections', () => {
  it('tells one that is waited for too long like a database that is away', async () => {
    const { foreground } = connectionLanes(1, { foreground: 1, background: 1 });
    const failure = await foreground('one', () =>
      foreground('one', () => Promise.resolve()).catch((error: unknown) => error),
    );
    expect(isDatabaseUnavailable(failure)).to.equal(true);
    expect(await foreground('one', () => Promise.resolve('free'))).to.equal('free');
  });
});

describe('ten connections', () => {
  const all = ['one', 'two', 'three', 'four', 'five'];
  /** How many transactions run at a time if callers flood these lanes, one after the other. */
  const running = async (callers: readonly string[], lanes: readonly Lane[]) => {
    let begun = 0;
    let end: (() => void) | undefined;
    const ending = new Promise<void>((resolve) => (end = resolve));
    const transaction = () => {
      begun += 1;
      return ending;
    };
    const flood = lanes.flatMap((lane) =>
      callers.flatMap((caller) => Array.from({ length: 20 }, () => lane(caller, transaction))),
    );
    await new Promise(setImmediate);
    const atOnce = begun;
    end?.();
    await Promise.all(flood);
    return { atOnce, inTheEnd: begun };
  };

  for (const [atOnce, whom, callers, names] of [
    [7, 'one organization', ['one'], ['foreground']],
    [3, 'one organization in the background', ['one'], ['background']],
    [7, 'one organization, first in the background', ['one'], ['background', 'foreground']],
    [7, 'one organization, later in the background', ['one'], ['foreground', 'background']],
    [5, 'the background', all, ['background']],
    [10, 'all organizations', all, ['foreground']],
    [10, 'all organizations and the background', all, ['background', 'foreground']],
  ] as const)
    it(`serve ${atOnce} transactions of ${whom} at a time`, async () => {
      const lanes = connectionLanes(10);
      const inTheEnd = callers.length * names.length * 20;
      expect(
        await running(
          callers,
          names.map((name) => lanes[name]),
        ),
      ).to.deep.equal({
        atOnce,
        inTheEnd,
      });
    });
});
