import { expect } from 'chai';
import { patience } from '#src/patience.js';

describe('patience with a store', () => {
  const away = new Error('connect ECONNREFUSED');
  const store = { setting: 'REDIS_URL', isAway: (error: unknown) => error === away };

  /** What came of attempts that fail with these errors, then succeed. */
  const outcomeOf = async (waitMs: number, errors: Error[]) => {
    const logged: object[] = [];
    const logger = { warn: (fields: object) => void logged.push(fields) };
    const left = [...errors];
    const attempt = () => {
      const error = left.shift();
      return error ? Promise.reject(error) : Promise.resolve('open');
    };
    const waiting = patience({ waitMs, logger, betweenTriesMs: 1 });
    const result = await waiting(store, attempt).catch(
      (error: unknown) => (error as Error).message,
    );
    return { result, logged, unused: left.length };
  };

  it('tries until the store is there, and logs once what it waits for', async () => {
    const { result, logged } = await outcomeOf(60_000, [away, away, away]);
    expect(result).to.equal('open');
    expect(logged).to.deep.equal([{ reason: 'REDIS_URL cannot be used: connect ECONNREFUSED' }]);
  });

  it('ends at once if waiting cannot help', async () => {
    const { result, logged, unused } = await outcomeOf(60_000, [new Error('WRONGPASS'), away]);
    expect(result).to.equal('REDIS_URL cannot be used: WRONGPASS');
    expect({ logged, unused }).to.deep.equal({ logged: [], unused: 1 });
  });

  it('ends in the middle of waiting if the store turns out to be unusable', async () => {
    const { result } = await outcomeOf(60_000, [away, new Error('Redis 5.0.1 is too old')]);
    expect(result).to.equal('REDIS_URL cannot be used: Redis 5.0.1 is too old');
  });

  it('does not wait if it is told not to', async () => {
    const { result, unused } = await outcomeOf(0, [away, away]);
    expect(result).to.equal('REDIS_URL cannot be used: connect ECONNREFUSED');
    expect(unused).to.equal(1);
  });
});
