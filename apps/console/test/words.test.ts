import { expect } from 'chai';
import {
  clockText,
  countOf,
  durationText,
  exactTime,
  rangeText,
  relativeTime,
  sizeText,
  timeOfDay,
} from '#src/parts/words.js';

describe('the words of the console', () => {
  it('say which part of a list is shown', () => {
    expect(rangeText({ total: 2318, offset: 50, limit: 50 })).to.equal('51–100 of 2,318');
    expect(rangeText({ total: 3, offset: 0, limit: 50 })).to.equal('1–3 of 3');
    expect(rangeText({ total: 3, offset: 50, limit: 50 })).to.equal('0 of 3');
  });

  it('count one and many', () => {
    expect([
      countOf(1, 'session'),
      countOf(0, 'session'),
      countOf(2, 'reply', 'replies'),
    ]).to.deep.equal(['1 session', '0 sessions', '2 replies']);
  });

  it('tell how long ago, and how soon', () => {
    const now = Date.parse('2026-03-01T12:00:00Z');
    const at = (seconds: number) => relativeTime(new Date(now + seconds * 1000), now);
    expect([at(-10), at(10), at(-90), at(-7200), at(86_400 * 2), at(-86_400 * 400)]).to.deep.equal([
      'just now',
      'in a moment',
      '1 minute ago',
      '2 hours ago',
      'in 2 days',
      'last year',
    ]);
  });

  it('tell the exact time in the reader’s zone', () => {
    expect(exactTime(new Date('2026-03-01T12:00:00Z'), 'Europe/Berlin')).to.equal(
      'Mar 1, 2026, 13:00:00 GMT+1',
    );
  });

  it('begin the day with the hour 00', () => {
    expect(exactTime(new Date('2026-03-01T00:05:09Z'), 'UTC')).to.equal(
      'Mar 1, 2026, 00:05:09 UTC',
    );
    const clock = new Intl.DateTimeFormat('en', { ...timeOfDay, timeZone: 'UTC' });
    expect(clock.format(new Date('2026-03-01T00:05:09Z'))).to.equal('00:05');
  });

  it('count down', () => {
    expect([299, 5, 0, -3, 3723].map(clockText)).to.deep.equal([
      '4:59',
      '0:05',
      '0:00',
      '0:00',
      '1:02:03',
    ]);
  });

  it('give durations and sizes a unit', () => {
    expect([840, 1_240, 200_000].map(durationText)).to.deep.equal([
      '840 ms',
      '1.2 s',
      '3 min 20 s',
    ]);
    expect([0, 999, 1_500, 12_345_678].map(sizeText)).to.deep.equal([
      '0 B',
      '999 B',
      '1.5 kB',
      '12.3 MB',
    ]);
  });
});
