import { expect } from 'chai';
import type { Situation } from '#src/widget/situation.js';
import { talkView } from '#src/widget/talk-view.js';
import { textsFor } from '#src/widget/texts.js';
import { given } from './situations.js';

const texts = textsFor('en');
const live: Partial<Situation> = { session: 'open', microphone: 'on' };

/** What the button says, and what a press does. */
const cases: [string, Partial<Situation>, [string, string]][] = [
  ['nobody has talked yet', {}, ['Talk', 'start']],
  ['the browser asks for permission', { microphone: 'asking' }, ['Connecting', 'none']],
  [
    'the session is being opened',
    { microphone: 'on', session: 'connecting' },
    ['Connecting', 'stop'],
  ],
  ['a session in writing is open', { session: 'open' }, ['Talk', 'start']],
  ['the user may speak', live, ['Listening', 'stop']],
  ['the agent thinks', { ...live, activity: 'thinking' }, ['Thinking', 'stop']],
  ['the agent speaks', { ...live, activity: 'speaking' }, ['Speaking', 'interrupt']],
  ['the user is mute', { ...live, microphone: 'muted' }, ['Muted', 'stop']],
  [
    'the agent speaks to a mute user',
    { ...live, microphone: 'muted', activity: 'speaking' },
    ['Speaking', 'interrupt'],
  ],
  ['the network is gone', { ...live, online: false }, ['Offline', 'none']],
  ['the connection is made anew', { ...live, session: 'reconnecting' }, ['Reconnecting', 'stop']],
  ['push-to-talk waits', { ...live, talk: 'push' }, ['Hold to talk', 'hold']],
  ['push-to-talk is held', { ...live, talk: 'push', held: true }, ['Listening', 'hold']],
  [
    'push-to-talk may interrupt',
    { ...live, talk: 'push', activity: 'speaking' },
    ['Speaking', 'hold'],
  ],
];

describe('the talk button', () => {
  for (const [when, situation, [label, press]] of cases)
    it(`says “${label}” when ${when}`, () => {
      expect(talkView(given(situation), texts)).to.include({ label, press });
    });

  it('is not there in text mode', () => {
    expect(talkView(given({ ...live, mode: 'text' }), texts)).to.equal(null);
  });

  it('has a mute button while the user is heard all the time, and one to stop in push-to-talk', () => {
    expect(talkView(given(live), texts)?.mute).to.include({ pressed: false });
    expect(talkView(given({ ...live, microphone: 'muted' }), texts)?.mute).to.include({
      pressed: true,
      label: 'Unmute the microphone',
    });
    const push = talkView(given({ ...live, talk: 'push' }), texts);
    expect(push).to.include({ mute: null, stop: 'Turn the microphone off' });
    expect(talkView(given({}), texts)).to.include({ mute: null, stop: null });
  });
});
