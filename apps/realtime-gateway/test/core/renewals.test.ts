import { expect } from 'chai';
import fc from 'fast-check';
import { actions, Renewals } from './renewals.js';

/** Ten thousand with PROOF_SCALE=1, which `npm run proofs` sets. */
const runs = Math.round(10_000 * Number(process.env['PROOF_SCALE'] ?? 0.03));

describe('renewals at any moment', function () {
  this.timeout(1_200_000);
  it('let one provider be heard, and send each output once', () => {
    let renewed = 0;
    const anything = fc.array(fc.constantFrom(...actions), { maxLength: 120, size: 'max' });
    fc.assert(
      fc.property(anything, (chosen) => {
        const world = new Renewals();
        for (const action of chosen) world.act(action);
        world.settle();
        renewed += world.renewed;
        expect(world.problems).to.deep.equal([]);
      }),
      { numRuns: runs },
    );
    expect(renewed).to.be.above(runs);
  });
});
