import { expect } from 'chai';
import { concerns } from '#src/pages/conversations/audit-trail.js';
import { filterOf } from '#src/pages/conversations/conversation-filter.js';
import { endingText } from '#src/pages/conversations/session-end.js';
import {
  beginning,
  blocksOf,
  earlier,
  endOf,
  joined,
  later,
} from '#src/pages/conversations/transcript-range.js';
import { beginningOf } from '#src/parts/beginning.js';

describe('a long transcript', () => {
  it('shows its end first, and one more block at each step back', () => {
    const end = endOf(10_000);
    expect(blocksOf(end, 10_000)).to.deep.equal({ first: 98, last: 99, end: 99 });
    expect(blocksOf(earlier(end), 10_000)).to.deep.equal({ first: 97, last: 99, end: 99 });
    expect(earlier(beginning).first).to.equal(0);
  });

  it('grows at its end, and keeps what was shown', () => {
    expect(blocksOf(endOf(200), 201)).to.deep.equal({ first: 0, last: 2, end: 2 });
  });

  it('goes on from its beginning until it follows the end', () => {
    const second = later(beginning, 250);
    expect(second).to.deep.equal({ first: 0, last: 1 });
    expect(later(second, 250)).to.deep.equal({ first: 0, last: undefined });
  });

  it('is one empty block where nothing was said', () => {
    expect(blocksOf(endOf(0), 0)).to.deep.equal({ first: 0, last: 0, end: 0 });
  });

  it('has each message once, though a block began anew with it', () => {
    const [a, b, c] = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
    expect(
      joined([
        [a, b],
        [b, c],
      ]),
    ).to.deep.equal([a, b, c]);
  });
});

describe('the filters of conversations', () => {
  it('take days of the reader’s calendar, the last one included', () => {
    const { from, to } = filterOf({ from: '2026-03-01', to: '2026-03-01' });
    expect(Date.parse(to ?? '') - Date.parse(from ?? '')).to.equal(86_400_000);
    expect(new Date(from ?? '').getHours()).to.equal(0);
  });

  it('leave out what an address makes up', () => {
    const made = filterOf({ q: '  ', from: 'yesterday', to: '2026-3-1', outcome: 'constructor' });
    expect(Object.values(made).every((value) => value === undefined)).to.equal(true);
  });
});

describe('a long text', () => {
  it('is not cut within a character', () => {
    expect(beginningOf('ab😀cd', 3)).to.equal('ab');
    expect(beginningOf('ab😀cd', 4)).to.equal('ab😀');
    expect(beginningOf('ab', 3)).to.equal('ab');
  });
});

describe('the audit trail of a conversation', () => {
  const session = {
    id: 's',
    startedAt: '',
    endedAt: null,
    endReason: null,
    closeCode: null,
    usage: [],
  };
  const conversation = { id: 'c', sessions: [session] };
  const record = (changes: object) => ({ resourceId: null, before: null, after: null, ...changes });

  it('has what happened to it, to its sessions, and to what was made in it', () => {
    expect(concerns(record({ resourceId: 'c' }), conversation)).to.equal(true);
    expect(concerns(record({ resourceId: 's' }), conversation)).to.equal(true);
    expect(concerns(record({ after: { conversationId: 'c' } }), conversation)).to.equal(true);
  });

  it('has nothing of others', () => {
    expect(concerns(record({}), conversation)).to.equal(false);
    expect(
      concerns(record({ resourceId: 'x', before: { conversationId: 'd' } }), conversation),
    ).to.equal(false);
  });
});

describe('why a call ended', () => {
  it('is a sentence, also for reasons that are new', () => {
    expect([endingText('Normal'), endingText('Brand new'), endingText(null)]).to.deep.equal([
      'Ended normally',
      'Ended: Brand new',
      'Ended: for a reason that was not recorded',
    ]);
  });
});
