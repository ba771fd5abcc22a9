import { expect } from 'chai';
import { allOf, eachOf } from '#src/batches.js';
import { batchSize } from '#src/job.js';

const broken = new Error('broken');
const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
const tooSlow = Object.assign(new Error('cancelled'), { code: '57014' });
const fail = () => Promise.reject(broken);

describe('the steps of a run', () => {
  it('are all taken, and the first failure is told', async () => {
    const steps = [
      () => Promise.resolve({ rows: 2, more: false }),
      fail,
      () => Promise.resolve({ rows: 3, more: true, failure: new Error('partly') }),
      () => Promise.reject(new Error('later')),
    ];
    expect(await allOf(steps)).to.deep.equal({ rows: 5, more: true, failure: broken });
  });

  it('have no failure if none of them has', async () => {
    const step = () => Promise.resolve({ rows: 1, more: false });
    expect(await allOf([step, step])).to.deep.equal({ rows: 2, more: false });
  });

  /** How many of twenty steps are taken if all fail like this, except for the fifth. */
  const taken = async (error: Error) => {
    let tried = 0;
    const step = () => {
      tried += 1;
      return tried === 5 ? Promise.resolve({ rows: 1, more: false }) : Promise.reject(error);
    };
    await allOf(Array.from({ length: 20 }, () => step));
    return tried;
  };

  it('end if a store is away for five in a row', async () => {
    expect(await taken(away)).to.equal(10);
    expect(await taken(new Error('Command timed out'))).to.equal(10);
  });

  it('go on after any number of failures that are their own', async () => {
    expect(await taken(broken)).to.equal(20);
    expect(await taken(tooSlow)).to.equal(20);
  });
});

describe('a batch', () => {
  const full = Array.from({ length: batchSize }, (_, at) => at);

  it('is followed by another one if it was full', async () => {
    const done: number[] = [];
    const work = (item: number) => Promise.resolve(done.push(item));
    expect(await eachOf(full, work)).to.deep.equal({ rows: batchSize, more: true });
    expect(done).to.deep.equal(full);
    expect(await eachOf(full.slice(1), work)).to.deep.equal({ rows: batchSize - 1, more: false });
  });

  it('counts the items that did not fail', async () => {
    const work = (item: number) => (item % 2 === 0 ? fail() : Promise.resolve());
    expect(await eachOf(full, work)).to.deep.equal({
      rows: batchSize / 2,
      more: true,
      failure: broken,
    });
  });

  it('is not followed at once by another one if nothing was done', async () => {
    expect(await eachOf(full, fail)).to.deep.equal({ rows: 0, more: false, failure: broken });
  });
});
