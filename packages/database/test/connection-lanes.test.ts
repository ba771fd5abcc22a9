import { expect } from 'chai';
import { isDatabaseUnavailable } from '#src/postgres/availability.js';
import { connectionLanes } from '#src/postgres/connection-lanes.js';

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
