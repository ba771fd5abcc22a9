import { expect } from 'chai';
import { ParleyError } from '#src/index.js';

describe('ParleyError', () => {
  it('is an error with a code and the cause', () => {
    const cause = new Error('no network');
    const error = new ParleyError('connect-failed', 'Try again.', { cause });
    expect(error).to.be.instanceOf(Error).and.include({ code: 'connect-failed', cause });
  });
});
