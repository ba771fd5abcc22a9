import { expect } from 'chai';
import { errors } from 'undici';
import { EgressTimeout, withDeadline } from '#src/bounds.js';

describe('the deadline of an exchange', () => {
  const failure = (error: Error): Promise<unknown> =>
    withDeadline({ timeoutMs: 10_000, signal: undefined }, () => Promise.reject(error)).catch(
      (thrown: unknown) => thrown,
    );
  const fetchFailed = (cause: Error) => new TypeError('fetch failed', { cause });

  it('counts a timeout of the transport as its own', async () => {
    for (const cause of [new errors.HeadersTimeoutError(), new errors.BodyTimeoutError()]) {
      expect(await failure(cause)).to.be.instanceOf(EgressTimeout);
      expect(await failure(fetchFailed(cause))).to.be.instanceOf(EgressTimeout);
    }
  });

  it('leaves a connection that was never opened a failure', async () => {
    const error = fetchFailed(new errors.ConnectTimeoutError());
    expect(await failure(error)).to.equal(error);
  });
});
