import { Hand, Mic, MicOff, PhoneOff } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent } from 'react';
import { Button } from '../../parts/button.js';
import type { Call } from './call.js';
import type { CallState } from './call-state.js';
import { talkView, type TalkView } from './talk.js';
import { useCallPart } from './use-call.js';
import { useTalkKeys } from './use-talk-keys.js';
import { Waveform } from './waveform.js';
import styles from './talk-stage.module.css';

/** The call itself: the talk button, between the waveforms of both sides. */
export function TalkStage({
  call,
  pushToTalk,
  disabled,
}: {
  readonly call: Call;
  readonly pushToTalk: boolean;
  readonly disabled: boolean;
}) {
  const session = useCallPart(call, sessionOf);
  const activity = useCallPart(call, activityOf);
  const microphone = useCallPart(call, microphoneOf);
  const muted = useCallPart(call, mutedOf);
  const held = useCallPart(call, heldOf);
  const audio = useCallPart(call, audioOf);
  const view = talkView({ session, activity, microphone, muted, held, pushToTalk });
  useTalkKeys(call, disabled ? { press: 'none' } : view);
  const live = session === 'open' || session === 'reconnecting';
  return (
    <section className={styles.stage} aria-label="Call">
      <div className={styles.row}>
        <div className={styles.side}>
          <Waveform audio={audio} side="microphone" />
          <span>You</span>
        </div>
        <TalkButton call={call} view={view} disabled={disabled} />
        <div className={styles.side}>
          <Waveform audio={audio} side="speaker" />
          <span>Agent</span>
        </div>
      </div>
      <div className={styles.state} role="status">
        <strong>{view.label}</strong>
        <span>{view.hint}</span>
      </div>
      <div className={styles.controls}>
        <Button
          small
          disabled={!live || (activity !== 'speaking' && activity !== 'thinking')}
          onClick={() => call.interrupt()}
        >
          <Hand size={14} /> Interrupt <kbd aria-hidden="true">Esc</kbd>
        </Button>
        {microphone === 'on' && (
          <Button small onClick={() => call.hush()}>
            <MicOff size={14} /> Turn the microphone off
          </Button>
        )}
        <Button
          small
          look="quietDanger"
          disabled={!live && session !== 'connecting' && microphone === 'off'}
          onClick={() => call.end()}
        >
          <PhoneOff size={14} /> End session
        </Button>
      </div>
    </section>
  );
}

const sessionOf = (now: CallState) => now.session;
const activityOf = (now: CallState) => now.activity;
const microphoneOf = (now: CallState) => now.microphone;
const mutedOf = (now: CallState) => now.muted;
const heldOf = (now: CallState) => now.held;
const audioOf = (now: CallState) => now.audio;

const names: Readonly<Record<TalkView['press'], string>> = {
  start: 'Talk',
  hold: 'Hold to talk',
  mute: 'Mute the microphone',
  unmute: 'Unmute the microphone',
  none: 'Connecting',
};

function TalkButton({
  call,
  view,
  disabled,
}: {
  readonly call: Call;
  readonly view: TalkView;
  readonly disabled: boolean;
}) {
  const { press, state } = view;
  const hold = (event: PointerEvent<HTMLButtonElement>) => {
    if (press !== 'hold') return;
    event.currentTarget.setPointerCapture(event.pointerId);
    call.hold();
  };
  const click = () => {
    if (press === 'start') void call.talk();
    if (press === 'mute' || press === 'unmute') call.toggleMute();
  };
  return (
    <button
      type="button"
      className={styles.talk}
      data-state={state}
      aria-label={names[press]}
      aria-pressed={press === 'unmute'}
      disabled={disabled || press === 'none'}
      onPointerDown={hold}
      onPointerUp={() => call.release()}
      onPointerCancel={() => call.release()}
      onClick={click}
      // The page itself handles the space bar, wherever the focus is.
      onKeyUp={(event: KeyboardEvent) => {
        if (event.key === ' ') event.preventDefault();
      }}
    >
      {state === 'muted' ? (
        <MicOff size={32} aria-hidden="true" />
      ) : (
        <Mic size={32} aria-hidden="true" />
      )}
    </button>
  );
}
