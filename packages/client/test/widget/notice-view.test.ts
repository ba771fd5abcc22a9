import { expect } from 'chai';
import { canGoOn, noticeView } from '#src/widget/notice-view.js';
import type { Situation } from '#src/widget/situation.js';
import { textsFor } from '#src/widget/texts.js';
import { given } from './situations.js';

const texts = textsFor('en');

const failed = (code: string, more: object = {}) =>
  ({ trouble: { kind: 'failed', code, ...more } }) as Partial<Situation>;

const cannotTalk = (audioTrouble: Situation['audioTrouble']) => ({ audioTrouble });

const cases: [Partial<Situation>, string, string | undefined][] = [
  [{ online: false, session: 'open' }, 'You are offline', undefined],
  [{ session: 'reconnecting' }, 'The connection was lost', undefined],
  [{ session: 'closed' }, 'The conversation has ended', 'restart'],
  [
    { session: 'closed', ...failed('connect-failed', { reason: 'SessionRevoked' }) },
    'The conversation has ended',
    'restart',
  ],
  [
    { session: 'closed', ...failed('connect-failed', { reason: 'IdleTimeout' }) },
    'The conversation is paused',
    'reconnect',
  ],
  [
    { session: 'closed', ...failed('connect-failed', { retry: true }) },
    'The connection was lost',
    'reconnect',
  ],
  [
    { session: 'closed', ...failed('connect-failed', { reason: 'QuotaReached' }) },
    'All lines are busy',
    'restart',
  ],
  [failed('refused', { reason: 'QuotaReached' }), 'All lines are busy', 'retry'],
  [failed('refused', { reason: 'RealtimeSessionExpired' }), 'The agent is not available', 'retry'],
  [failed('create-failed'), 'The conversation could not start', 'retry'],
  [failed('connect-timeout'), 'The agent cannot be reached', 'retry'],
  [cannotTalk('microphone-denied'), 'The microphone is blocked', 'dismiss'],
  [cannotTalk('microphone-missing'), 'No microphone was found', 'dismiss'],
  [cannotTalk('worklet-failed'), 'This browser cannot record here', 'dismiss'],
  [
    { session: 'closed', ...cannotTalk('microphone-missing') },
    'The conversation has ended',
    'restart',
  ],
  [
    {
      session: 'closed',
      ...failed('connect-failed', { reason: 'IdleTimeout' }),
      ...cannotTalk('microphone-denied'),
    },
    'The conversation is paused',
    'reconnect',
  ],
  [
    { ...failed('connect-failed'), ...cannotTalk('microphone-denied') },
    'The agent cannot be reached',
    'retry',
  ],
  [{ trouble: { kind: 'problem' } }, 'Something went wrong', 'dismiss'],
];

describe('the notice', () => {
  for (const [situation, title, action] of cases)
    it(`is “${title}” for ${JSON.stringify(situation)}`, () => {
      const notice = noticeView(given(situation), texts);
      expect(notice?.title).to.equal(title);
      expect(notice?.action?.name).to.equal(action);
      expect(notice?.text).not.to.match(/\d{3}|-failed|Error/);
    });

  it('is absent while all is well', () => {
    expect(noticeView(given({ session: 'open' }), texts)).to.equal(null);
  });

  it('goes on only with what was lost', () => {
    expect(canGoOn(given({ session: 'closed' }))).to.equal(false);
    expect(canGoOn(given(failed('connect-failed', { retry: true })))).to.equal(false);
  });
});
