import { expect } from 'chai';
import type { Approval, ToolCall } from '@parley/client';
import { placeCalls } from '#src/session/timeline.js';
import type { Situation } from '#src/widget/situation.js';
import { nextApproval, streamView, type CardView } from '#src/widget/stream-view.js';
import { textsFor } from '#src/widget/texts.js';
import { announcements, viewOf } from '#src/widget/view.js';
import { approval, call, given, message } from './situations.js';

const texts = textsFor('en');
const keys = (situation: Partial<Situation>) =>
  streamView(given(situation), texts).map(({ key }) => key);

describe('the stream', () => {
  it('keeps a call where it happened, also when what was said before it comes later', () => {
    const before = { messages: [message('user 1')], calls: [call('a')] };
    const places = placeCalls(new Map(), before);
    const messages = [message('assistant 0'), message('user 1'), message('assistant 2')];
    const calls = [call('a'), call('b')];
    expect(
      keys({ messages, calls, places: placeCalls(places, { messages, calls }) }),
    ).to.deep.equal(['assistant 0', 'user 1', 'call a', 'assistant 2', 'call b']);
  });

  it('begins with calls that came before any word, and with those whose place is gone', () => {
    const calls = [call('a'), call('b')];
    const places = new Map([
      ['a', null],
      ['b', 'gone'],
    ]);
    expect(keys({ messages: [message('user 1')], calls, places })).to.deep.equal([
      'call a',
      'call b',
      'user 1',
    ]);
  });

  it('shows what is typed before the session is there, and that the agent thinks', () => {
    expect(keys({ outbox: 'Hello', session: 'connecting' })).to.deep.equal(['outbox']);
    const thinking = { session: 'open', activity: 'thinking' } as const;
    expect(keys({ ...thinking, messages: [message('user 1')] })).to.include('thinking');
    const answering = message('assistant 1', { final: false });
    expect(keys({ ...thinking, messages: [answering] })).not.to.include('thinking');
    expect(keys({ ...thinking, calls: [call('a')] })).not.to.include('thinking');
  });

  it('marks the words that nobody heard, and leaves out what has no words', () => {
    const cut = { text: 'One two three', interrupted: true, heardLength: 10 };
    const messages = [
      message('assistant 1', cut),
      message('assistant 2', { text: ' ' }),
      message('user 3', { text: '', final: false }),
      message('user 4', { text: '' }),
    ];
    const entries = streamView(given({ messages }), texts);
    expect(entries).to.have.length(2);
    expect(entries[0]).to.include({ unheard: 'three', note: 'Interrupted' });
    expect(entries[1]).to.include({ key: 'user 3', text: '' });
  });
});

describe('a card', () => {
  type Case = { call?: Partial<ToolCall>; approval?: Partial<Approval> } & Partial<Situation>;
  const cardOf = ({ call: calls, approval: change, ...situation }: Case): CardView => {
    const now = given({
      session: 'open',
      calls: [call('a', calls)],
      approvals: change ? [approval('a', change)] : [],
      ...situation,
    });
    return streamView(now, texts)[0] as CardView;
  };

  it('tells a call’s title, or its name as words, and its state in words', () => {
    expect(cardOf({ call: { title: 'Create a task' } })).to.include({
      title: 'Create a task',
      state: 'Running',
    });
    expect(cardOf({ call: { state: 'done' } })).to.include({ title: 'Create task', state: 'Done' });
    expect(cardOf({ call: { state: 'failed' } })).to.include({ tone: 'danger', state: 'Failed' });
    expect(cardOf({ session: 'closed' })).to.include({ tone: 'quiet', state: 'Ended' });
  });

  it('counts down, at last urgently, and cannot be decided once the time is over', () => {
    expect(cardOf({ approval: { secondsLeft: 299 } }).approval).to.include({
      clock: '4:59',
      timeLeft: '4:59 left',
      isUrgent: false,
      canDecide: true,
      hasKeys: true,
    });
    expect(cardOf({ approval: { secondsLeft: 5 } }).approval).to.include({
      clock: '0:05',
      isUrgent: true,
    });
    expect(cardOf({ approval: { secondsLeft: 0 } }).approval).to.include({ canDecide: false });
  });

  for (const [state, decision, words] of [
    ['approved', 'approved', 'You approved this · Done'],
    ['approved', 'rejected', 'Somebody else approved this · Done'],
    ['approved', undefined, 'Somebody else approved this · Done'],
    ['rejected', 'rejected', 'You rejected this'],
    ['rejected', 'approved', 'Somebody else rejected this'],
    ['expired', undefined, 'Not approved in time'],
    ['cancelled', undefined, 'No longer needed'],
    ['waiting', 'approved', 'Sending your decision'],
  ] as const)
    it(`says “${words}” after ${state}, decided here: ${decision ?? 'nothing'}`, () => {
      const decisions = new Map(decision ? [['a', decision]] : []);
      const card = cardOf({ call: { state: 'done' }, approval: { state }, decisions });
      expect(card.state).to.equal(words);
    });

  it('is somebody else’s where the client may not decide, and nobody’s once the session is over', () => {
    const other = cardOf({ approval: { decidable: false } });
    expect(other.state).to.equal('Waiting for somebody else to approve');
    expect(other.approval).to.include({ canDecide: false, hasKeys: false });
    const over = cardOf({ approval: {}, session: 'closed' });
    expect(over).to.include({ state: 'No longer needed', approval: null });
  });

  it('gives the keys to the approval that has waited longest', () => {
    const approvals = [approval('a', { state: 'approved' }), approval('b'), approval('c')];
    expect(nextApproval(given({ session: 'open', approvals }))?.callId).to.equal('b');
    const decisions = new Map([['b', 'approved' as const]]);
    expect(nextApproval(given({ session: 'open', approvals, decisions }))?.callId).to.equal('c');
    expect(nextApproval(given({ session: 'reconnecting', approvals }))).to.equal(undefined);
  });

  it('links nowhere but to http and https', () => {
    const linkTo = (url: string) => cardOf({ call: { link: { label: 'Open', url } } }).link;
    expect(linkTo('https://example.com/a')).to.deep.equal({
      label: 'Open',
      href: 'https://example.com/a',
    });
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', '/a', ''])
      expect(linkTo(url), url).to.equal(null);
  });
});

describe('what a screen reader says', () => {
  const spoken = (before: Partial<Situation> | undefined, after: Partial<Situation>) =>
    announcements(
      before && viewOf(given({ session: 'open', ...before }), texts),
      viewOf(given({ session: 'open', ...after }), texts),
      texts,
    );

  it('is each answer once, when it is whole, and nothing of the user’s', () => {
    const half = { messages: [message('user 1'), message('assistant 2', { final: false })] };
    const whole = { messages: [message('user 1'), message('assistant 2')] };
    expect(spoken({}, half)).to.deep.equal([]);
    expect(spoken(half, whole)).to.deep.equal(['Agent: assistant 2']);
    expect(spoken(whole, whole)).to.deep.equal([]);
  });

  it('is a question for approval and its outcome, but not the seconds', () => {
    const waits = { calls: [call('a')], approvals: [approval('a')] };
    const later = { calls: [call('a')], approvals: [approval('a', { secondsLeft: 100 })] };
    const over = { calls: [call('a')], approvals: [approval('a', { state: 'expired' })] };
    expect(spoken({}, waits)).to.deep.equal(['The agent asks for your approval: Create task']);
    expect(spoken(waits, later)).to.deep.equal([]);
    expect(spoken(later, over)).to.deep.equal(['Create task: Not approved in time']);
  });
});
