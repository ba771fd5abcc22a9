import { expect } from 'chai';
import { RunLost, whileLeased } from '#src/questions/lease.js';

const fired = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(signal.reason));
  });

describe('a lease', () => {
  it('that is lost stops the work under it', async () => {
    const reason = await whileLeased(() => Promise.resolve(false), fired, 1);
    expect(reason).to.be.instanceOf(RunLost);
  });

  it('that cannot be renewed for a moment stops nothing', async () => {
    let renewals = 0;
    const renew = () => {
      renewals += 1;
      return renewals < 3 ? Promise.reject(new Error('away')) : Promise.resolve(renewals < 6);
    };
    await whileLeased(renew, fired, 1);
    expect(renewals).to.be.at.least(6);
  });
});
