import { expect } from 'chai';
import fc from 'fast-check';
import { fuzz } from '@parley/testkit';
import { actions, CollidingService } from './colliding-service.js';

describe('texts that cross with responses of the service', () => {
  it('are all answered in the end, unless they are interrupted', () => {
    let refusals = 0;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...actions), { maxLength: 40 }), (chosen) => {
        const service = new CollidingService();
        for (const action of chosen) service.act(action);
        service.settle();
        if (service.isWanted) expect(service.answered).to.equal(service.written);
        refusals += service.refusals;
      }),
      fuzz(1000),
    );
    expect(refusals).to.be.above(0);
  });
});
