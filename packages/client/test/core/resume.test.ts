import { expect } from 'chai';
import {
  acknowledging,
  fresh,
  isAckDue,
  missing,
  received,
  restarted,
  sent,
  type Resume,
} from '#src/core/resume.js';

const offer = (resumePath: string) => ({
  type: 'session.resumable',
  data: { resumePath, graceSeconds: 30 },
});
const saying = (resume: Resume, ...messages: string[]) => messages.reduce(sent, resume);

describe('what a client remembers of a resumable session', () => {
  it('is the newest path, and how many messages have come, without those about the connection', () => {
    const events = [
      { type: 'session.created' },
      { type: 'session.updated' },
      offer('/first'),
      undefined,
      offer('/second'),
      { type: 'session.resumed', data: { received: 0, restored: 'live' } },
      { type: 'session.moving', data: { resumePath: '/third' } },
    ];
    const resume = saying(events.reduce(received, fresh), 'a');
    expect(resume).to.include({ path: '/third', graceMs: 30_000, received: 3, sent: 1 });
    const again = { ...fresh, path: '/third', graceMs: 30_000 };
    expect(restarted(resume)).to.deep.equal(again);
  });

  it('is no path once the service says that the session is not resumable any more', () => {
    const resume = [offer('/first'), { type: 'session.unresumable' }].reduce(received, fresh);
    expect(resume.path).to.equal(null);
  });

  it('is acknowledged every fifty messages, if the session is resumable', () => {
    const fifty = Array.from({ length: 50 }, () => ({ type: 'response.output_audio.delta' }));
    expect(isAckDue(fifty.reduce(received, fresh))).to.equal(false);
    const resume = fifty.reduce(received, received(fresh, offer('/first')));
    expect(isAckDue(resume)).to.equal(true);
    expect(isAckDue(acknowledging(resume))).to.equal(false);
  });

  it('is every message that it has sent, so that it can send the rest again', () => {
    const resume = saying(fresh, 'a', 'b', 'c');
    expect(missing(resume, 0)).to.deep.equal(['a', 'b', 'c']);
    expect(missing(resume, 2)).to.deep.equal(['c']);
    expect(missing(resume, 3)).to.deep.equal([]);
    for (const wrong of [4, Number.NaN]) expect(missing(resume, wrong)).to.equal(undefined);
  });

  it('is not more than some megabytes of them', () => {
    const megabyte = 'x'.repeat(1024 * 1024);
    const resume = saying(fresh, ...Array.from({ length: 20 }, () => megabyte));
    expect(resume).to.include({ sent: 20, keptLength: 8 * 1024 * 1024 });
    expect(missing(resume, 12)).to.have.length(8);
    expect(missing(resume, 11)).to.equal(undefined);
  });
});
