import type { Activity, SessionState } from '@parley/client';

export type MicrophoneState = 'off' | 'asking' | 'on';

export type TalkSituation = {
  readonly session: SessionState | 'none';
  readonly activity: Activity;
  readonly microphone: MicrophoneState;
  readonly muted: boolean;
  readonly held: boolean;
  readonly pushToTalk: boolean;
};

/** The label of the talk button, and what pressing it or the space bar does. */
export type TalkView = {
  readonly state:
    | 'off'
    | 'connecting'
    | 'ready'
    | 'listening'
    | 'thinking'
    | 'speaking'
    | 'muted'
    | 'waiting';
  readonly label: string;
  readonly hint: string;
  readonly press: 'start' | 'hold' | 'mute' | 'unmute' | 'none';
};

export function talkView(now: TalkSituation): TalkView {
  const { session, microphone, pushToTalk } = now;
  if (microphone === 'off')
    return {
      state: 'off',
      label: 'Talk',
      hint: 'Uses your microphone. You can write without it.',
      press: 'start',
    };
  if (microphone === 'asking')
    return {
      state: 'connecting',
      label: 'Connecting',
      hint: 'Allow the microphone if your browser asks.',
      press: 'none',
    };
  if (session === 'reconnecting')
    return {
      state: 'waiting',
      label: 'Reconnecting',
      hint: 'You are heard again when it is back.',
      press: 'none',
    };
  if (session !== 'open')
    return { state: 'connecting', label: 'Connecting', hint: 'One moment.', press: 'none' };
  return pushToTalk ? pushed(now) : handsFree(now);
}

function pushed({ held, activity }: TalkSituation): TalkView {
  if (held)
    return { state: 'listening', label: 'Listening', hint: 'Let go to send.', press: 'hold' };
  const hint = 'Hold the button or the space bar to talk.';
  if (activity === 'thinking') return { state: 'thinking', label: 'Thinking', hint, press: 'hold' };
  if (activity === 'speaking') return { state: 'speaking', label: 'Speaking', hint, press: 'hold' };
  return { state: 'ready', label: 'Hold to talk', hint, press: 'hold' };
}

function handsFree({ muted, activity }: TalkSituation): TalkView {
  const press = muted ? 'unmute' : 'mute';
  const hint = muted
    ? 'The agent cannot hear you. Press the space bar to unmute.'
    : 'Press the space bar to mute.';
  if (activity === 'speaking') return { state: 'speaking', label: 'Speaking', hint, press };
  if (activity === 'thinking') return { state: 'thinking', label: 'Thinking', hint, press };
  if (muted) return { state: 'muted', label: 'Muted', hint, press };
  return { state: 'listening', label: 'Listening', hint, press };
}
