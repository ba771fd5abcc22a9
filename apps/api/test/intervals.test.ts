import { expect } from 'chai';
import type { Problem } from '@parley/protocol';
import { intervalsOf } from '#src/usage/intervals.js';

describe('the intervals of a range', () => {
  const now = new Date('2030-03-31T10:20:00Z');
  const asked = (from: string | undefined, to: string | undefined, interval: 'hour' | 'day') => {
    const { starts, end } = intervalsOf({ from, to, interval }, now);
    return [...starts, end].map((date) => date.toISOString().slice(0, 13));
  };
  const errorOf = (from: string, to: string, interval: 'hour' | 'day') => {
    try {
      intervalsOf({ from, to, interval }, now);
    } catch (error) {
      return (error as Problem).errors[0];
    }
    return undefined;
  };

  it('are all that it touches, each as a whole, in UTC', () => {
    expect(asked('2030-01-30T23:30:00-01:00', '2030-02-01T00:00:01Z', 'day')).to.deep.equal([
      '2030-01-31T00',
      '2030-02-01T00',
      '2030-02-02T00',
    ]);
    expect(asked('2030-01-30T22:00:00Z', '2030-01-31T00:00:00Z', 'hour')).to.deep.equal([
      '2030-01-30T22',
      '2030-01-30T23',
      '2030-01-31T00',
    ]);
  });

  it('reach back from now unless told otherwise', () => {
    const days = asked(undefined, undefined, 'day');
    expect([days[0], days.at(-1)]).to.deep.equal(['2030-03-01T00', '2030-04-01T00']);
    const hours = asked(undefined, undefined, 'hour');
    expect([hours[0], hours.at(-1)]).to.deep.equal(['2030-03-30T10', '2030-03-31T11']);
  });

  it('are refused where there are none, or too many', () => {
    const [at, day] = ['2030-01-01T00:00:00Z', '2030-01-02T00:00:00Z'];
    expect(errorOf(at, at, 'day')).to.include({ path: 'To' });
    expect(errorOf(day, at, 'hour')).to.include({ path: 'To' });
    expect(errorOf('2030-01-01T00:00:00Z', '2032-09-27T00:00:00Z', 'day')).to.equal(undefined);
    const tooMany = errorOf('2030-01-01T00:00:00Z', '2032-09-27T00:00:01Z', 'day');
    expect(tooMany).to.include({ path: 'From' });
    expect(tooMany?.message).to.include('1001 intervals');
    expect(errorOf('0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', 'hour')).to.include({
      path: 'From',
    });
  });
});
