import type { Situation } from './situation.js';
import type { Texts } from './texts.js';

export type TalkState =
  | 'idle'
  | 'connecting'
  | 'listening'
  | 'ready'
  | 'thinking'
  | 'speaking'
  | 'muted'
  | 'offline'
  | 'reconnecting';

/** The talk button: its label, and what a press does. */
export type TalkView = {
  readonly state: TalkState;
  readonly label: string;
  readonly hint: string;
  readonly press: 'start' | 'stop' | 'interrupt' | 'hold' | 'none';
  /** Set while the microphone is on without push-to-talk. */
  readonly mute: { readonly pressed: boolean; readonly label: string } | null;
  /** Set while push-to-talk uses the microphone. */
  readonly stop: string | null;
};

export function talkState(now: Situation): TalkState {
  if (!now.online) return 'offline';
  if (now.session === 'reconnecting') return 'reconnecting';
  if (now.microphone === 'asking') return 'connecting';
  if (now.microphone === 'off') return 'idle';
  if (now.session !== 'open') return 'connecting';
  if (now.held) return 'listening';
  if (now.activity === 'speaking') return 'speaking';
  if (now.activity === 'thinking') return 'thinking';
  if (now.talk === 'push') return 'ready';
  return now.microphone === 'muted' ? 'muted' : 'listening';
}

/** Null in a chat without voice. */
export function talkView(now: Situation, texts: Texts): TalkView | null {
  if (now.mode === 'text') return null;
  const state = talkState(now);
  const isOn = now.session === 'open' && (now.microphone === 'on' || now.microphone === 'muted');
  const isMuted = now.microphone === 'muted';
  return {
    state,
    ...wordsOf(state, now, texts),
    press: pressOf(state, now),
    mute:
      isOn && now.talk === 'hands-free'
        ? { pressed: isMuted, label: isMuted ? texts.unmute : texts.mute }
        : null,
    stop: isOn && now.talk === 'push' ? texts.stop : null,
  };
}

function pressOf(state: TalkState, { talk, microphone }: Situation): TalkView['press'] {
  if (state === 'idle') return 'start';
  if (state === 'offline' || (state === 'connecting' && microphone === 'asking')) return 'none';
  if (state === 'reconnecting' || state === 'connecting')
    return microphone === 'off' ? 'none' : 'stop';
  if (talk === 'push') return 'hold';
  return state === 'speaking' ? 'interrupt' : 'stop';
}

function wordsOf(
  state: TalkState,
  { talk, microphone }: Situation,
  texts: Texts,
): { label: string; hint: string } {
  const isPush = talk === 'push';
  switch (state) {
    case 'idle':
      return { label: texts.talk, hint: texts.talkHint };
    case 'connecting':
      return {
        label: texts.connecting,
        hint: microphone === 'asking' ? texts.askingHint : texts.connectingHint,
      };
    case 'listening':
      return isPush
        ? { label: texts.holding, hint: texts.holdingHint }
        : { label: texts.listening, hint: texts.listeningHint };
    case 'ready':
      return { label: texts.ready, hint: texts.readyHint };
    case 'thinking':
      return { label: texts.thinking, hint: isPush ? texts.ready : texts.listeningHint };
    case 'speaking':
      return { label: texts.speaking, hint: isPush ? texts.ready : texts.speakingHint };
    case 'muted':
      return { label: texts.muted, hint: texts.mutedHint };
    case 'offline':
      return { label: texts.offline, hint: '' };
    case 'reconnecting':
      return { label: texts.reconnecting, hint: texts.connectingHint };
  }
}
