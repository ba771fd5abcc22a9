import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { waitFor } from '@parley/testkit';
import { deadline } from '#src/deadline.js';

describe('a deadline', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;

  it('passes, although only a signal that depends on it is kept', async () => {
    const signal = AbortSignal.any([new AbortController().signal, deadline(50)]);
    // What a weak reference leads to is kept until the current job ends.
    await new Promise(setImmediate);
    collectGarbage();
    await waitFor(() => signal.aborted, { what: 'the deadline', timeoutMs: 5000 });
    expect(signal.reason).to.have.property('name', 'TimeoutError');
  });
});
