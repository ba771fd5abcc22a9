import { expect } from 'chai';
import { secondsLeftToday } from '#src/quota-guard.js';

describe('a quota of the day', () => {
  it('is counted anew at midnight of UTC', () => {
    expect(secondsLeftToday(new Date('2026-12-31T23:59:59.500Z'))).to.equal(1);
    expect(secondsLeftToday(new Date('2026-02-28T00:00:00Z'))).to.equal(86_400);
  });
});
