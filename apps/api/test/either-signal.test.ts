import { getEventListeners } from 'node:events';
import { expect } from 'chai';
import { eitherSignal } from '#src/questions/either-signal.js';

describe('either of two signals', () => {
  const listeners = (...controllers: AbortController[]) =>
    controllers.flatMap(({ signal }) => getEventListeners(signal, 'abort'));

  for (const first of ['brief', 'lasting'] as const)
    it(`fires with the ${first} one, and leaves nothing at both`, () => {
      const both = { brief: new AbortController(), lasting: new AbortController() };
      const either = eitherSignal(both.brief.signal, both.lasting.signal);
      expect(either.aborted).to.equal(false);
      both[first].abort();
      expect(either.aborted).to.equal(true);
      expect(listeners(both.brief, both.lasting)).to.deep.equal([]);
    });

  it('has fired if one of them has', () => {
    const [done, open] = [new AbortController(), new AbortController()];
    done.abort();
    expect(eitherSignal(done.signal, open.signal).aborted).to.equal(true);
    expect(eitherSignal(open.signal, done.signal).aborted).to.equal(true);
    expect(listeners(open)).to.deep.equal([]);
  });
});
