import { expect } from 'chai';
import { drainBudget } from '#src/drain-budget.js';

describe('the budget of a drain', () => {
  it('adds tools, journal and a reserve to what the settings give', () => {
    const { lagMs, workMs, toolsMs, journalMs, reserveMs, totalMs } = drainBudget({
      DRAIN_LAG_SECONDS: 5,
      DRAIN_TIMEOUT_SECONDS: 120,
    });
    expect([lagMs, workMs]).to.deep.equal([5000, 120_000]);
    expect(totalMs).to.equal(lagMs + workMs + toolsMs + journalMs + reserveMs);
    for (const part of [toolsMs, journalMs, reserveMs]) expect(part).to.be.above(0);
  });

  it('waits for nobody where there are no settings', () => {
    expect(drainBudget({})).to.include({ lagMs: 0, workMs: 1000 });
  });

  it('fits into a timer, whatever the settings', () => {
    const most = 2_147_483;
    const { totalMs } = drainBudget({ DRAIN_LAG_SECONDS: most, DRAIN_TIMEOUT_SECONDS: most });
    expect(totalMs).to.equal(2 ** 31 - 1);
  });
});
