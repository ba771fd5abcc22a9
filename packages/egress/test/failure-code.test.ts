import { expect } from 'chai';
import { failureCode } from '#src/failure-code.js';

describe('the code of a failed request', () => {
  const coded = (code: unknown) => Object.assign(new Error('x'), { code });

  it('is found in the error, in its causes, and in the first of several', () => {
    expect(failureCode(coded('ENOTFOUND'))).to.equal('ENOTFOUND');
    const several = new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')]);
    expect(failureCode(new TypeError('fetch failed', { cause: several }))).to.equal('ECONNREFUSED');
  });

  it('is nothing else that an error holds', () => {
    for (const error of [new Error('x'), coded(7), coded('see http://10.0.0.1'), 'text', undefined])
      expect(failureCode(error)).to.equal(undefined);
  });
});
