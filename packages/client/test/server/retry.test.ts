import { expect } from 'chai';
import { backoffMs, decideRetry, type Failure, type Situation } from '#src/server/retry.js';

const keyed = { 'idempotency-key': 'k' };
const lost: Failure = { reason: 'lost' };
const situation: Situation = {
  verb: 'GET',
  headers: {},
  failure: lost,
  attempts: 1,
  maxRetries: 2,
  uncertain: false,
  random: 1,
};
const after = (change: Partial<Situation>) => decideRetry({ ...situation, ...change }).do;

describe('a failed attempt', () => {
  for (const failure of [
    lost,
    { reason: 'timeout' },
    { status: 408 },
    { status: 429 },
    { status: 502 },
    { status: 503 },
    { status: 504 },
    { status: 409, errorCode: 'idempotency-in-progress' },
  ] satisfies Failure[])
    it(`is repeated after ${JSON.stringify(failure)}`, () => {
      expect(after({ failure })).to.equal('repeat');
      expect(after({ failure, verb: 'POST', headers: keyed })).to.equal('repeat');
    });

  for (const failure of [
    { reason: 'aborted' },
    { reason: 'unreadable' },
    { status: 302 },
    { status: 400 },
    { status: 401 },
    { status: 404 },
    { status: 409, errorCode: 'conflict' },
    { status: 412 },
    { status: 500 },
    { status: 502, errorCode: 'provider-unavailable' },
  ] satisfies Failure[])
    it(`is final after ${JSON.stringify(failure)}`, () => {
      expect(after({ failure })).to.equal('fail');
    });

  it('is repeated as often as allowed', () => {
    expect(after({ attempts: 2 })).to.equal('repeat');
    expect(after({ attempts: 3 })).to.equal('fail');
    expect(after({ maxRetries: 0 })).to.equal('fail');
  });

  it('of a POST without a key is final, whatever happened', () => {
    for (const failure of [lost, { status: 429 }, { status: 503 }])
      expect(after({ verb: 'POST', failure })).to.equal('fail');
  });

  it('of a PUT or a DELETE is repeated', () => {
    for (const verb of ['PUT', 'DELETE'] as const) expect(after({ verb })).to.equal('repeat');
  });

  it('of a PATCH is repeated if it has not begun, or If-Match keeps it from happening twice', () => {
    expect(after({ verb: 'PATCH' })).to.equal('fail');
    expect(after({ verb: 'PATCH', failure: { status: 504 } })).to.equal('fail');
    expect(after({ verb: 'PATCH', failure: { status: 429 } })).to.equal('repeat');
    expect(after({ verb: 'PATCH', failure: { status: 503 } })).to.equal('repeat');
    expect(after({ verb: 'PATCH', headers: { 'if-match': '"1"' } })).to.equal('repeat');
  });

  it('of a DELETE that finds nothing is a success if an earlier one may have worked', () => {
    const failure = { status: 404, errorCode: 'not-found' };
    expect(after({ verb: 'DELETE', failure, attempts: 2, uncertain: true })).to.equal('done');
    expect(after({ verb: 'DELETE', failure, attempts: 2 })).to.equal('fail');
    expect(after({ verb: 'GET', failure, attempts: 2, uncertain: true })).to.equal('fail');
  });

  it('waits for as long as the service asks for, and never longer than a minute', () => {
    const waiting = (retryAfter: number) =>
      decideRetry({ ...situation, failure: { status: 429, retryAfter } });
    expect(waiting(7)).to.deep.equal({ do: 'repeat', afterMs: 7000 });
    expect(waiting(0)).to.deep.equal({ do: 'repeat', afterMs: 500 });
    expect(waiting(61)).to.deep.equal({ do: 'fail' });
  });
});

describe('the pause before a repetition', () => {
  it('doubles, up to eight seconds, and half of it is chance', () => {
    expect([1, 2, 3, 4, 5, 6, 50].map((attempts) => backoffMs(attempts, 1))).to.deep.equal([
      500, 1000, 2000, 4000, 8000, 8000, 8000,
    ]);
    expect(backoffMs(1, 0)).to.equal(250);
  });
});
