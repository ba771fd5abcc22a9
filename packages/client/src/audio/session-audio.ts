import { ParleyError } from '../errors.js';
import { Listeners } from '../session/listeners.js';
import type { AudioFormat, Player } from '../session/player.js';
import type { SessionState, StateChange } from '../session/session-events.js';
import { Microphone, type MicrophoneOptions } from './microphone.js';
import { sampleRates } from './sample-rates.js';
import { Speaker, type SpeakerOptions } from './speaker.js';

/**
 * With `push-to-talk`, the user is heard only between `hold` and `release`, and that is one turn.
 * The session needs `turnDetection` `none`.
 */
export type TalkMode = 'hands-free' | 'push-to-talk';

/** Options for connecting audio to a session. */
export type AudioOptions = {
  /**
   * Options for opening the microphone, or an open one in the session's format. With `false` there
   * is no microphone, and the user is not asked for permission.
   */
  readonly microphone?: Microphone | MicrophoneOptions | false;
  /** Options for opening the speaker, or an open one; `false` for none. */
  readonly speaker?: Speaker | SpeakerOptions | false;
  /** `hands-free` by default. */
  readonly mode?: TalkMode;
};

/** The part of a session that audio needs; a `RealtimeSession` satisfies it. */
export type AudioSession = {
  /** Audio is sent while it is `open`; everything is closed when it becomes `closed`. */
  readonly state: SessionState;
  /** Tells `hold` whether there is an answer to interrupt. */
  readonly activity: 'idle' | 'listening' | 'thinking' | 'speaking';
  /** Format of the audio that `sendAudio` takes. */
  readonly inputFormat: AudioFormat;
  /** Listens for changes of `state`. */
  on(type: 'state', listener: (change: StateChange) => void): () => void;
  /** Sends audio from the microphone. */
  sendAudio(audio: Int16Array | Uint8Array): void;
  /** Ends a turn of `push-to-talk`. */
  commit(): void;
  /** Stops the current answer. */
  interrupt(): void;
  /** Keeps the agent from answering while the user holds the button of `push-to-talk`. */
  setTalking?(talking: boolean): void;
  /** Attaches the speaker. */
  attachPlayer(player: Player): () => void;
};

/** Providers accept no shorter turn. */
const SHORTEST_TURN_SECONDS = 0.1;

/**
 * Opens a microphone and a speaker and connects them to the session, so that the agent hears the
 * user and the user hears the agent. Call it in a click handler: browsers require a user gesture
 * before they ask for permission or play sound. Rejects with a `ParleyError` like `Microphone.open`
 * and `Speaker.open`, and then leaves nothing open.
 */
export async function connectAudio(
  session: AudioSession,
  options: AudioOptions = {},
): Promise<SessionAudio> {
  const opening = [
    openSpeaker(options.speaker),
    openMicrophone(options.microphone, session.inputFormat),
  ] as const;
  try {
    const [speaker, microphone] = await Promise.all(opening);
    if (speaker?.state === 'closed' || microphone?.closed)
      throw new ParleyError('argument-invalid', 'The microphone or the speaker is already closed.');
    if (microphone !== undefined && microphone.format !== session.inputFormat)
      throw new ParleyError('argument-invalid', `The session only accepts ${session.inputFormat}.`);
    return new SessionAudio(session, { speaker, microphone, mode: options.mode ?? 'hands-free' });
  } catch (error) {
    await Promise.allSettled(opening.map(async (device) => (await device)?.close()));
    throw error;
  }
}

async function openSpeaker(speaker: AudioOptions['speaker'] = {}): Promise<Speaker | undefined> {
  if (speaker === false) return undefined;
  return speaker instanceof Speaker ? speaker : Speaker.open(speaker);
}

async function openMicrophone(
  microphone: AudioOptions['microphone'] = {},
  format: AudioFormat,
): Promise<Microphone | undefined> {
  if (microphone === false) return undefined;
  return microphone instanceof Microphone ? microphone : Microphone.open({ format, ...microphone });
}

type Parts = {
  readonly microphone: Microphone | undefined;
  readonly speaker: Speaker | undefined;
  readonly mode: TalkMode;
};

/**
 * The microphone and speaker of a session. It owns both, and closes them when it or the session
 * closes.
 */
export class SessionAudio {
  /** Undefined if audio was connected without a microphone. */
  readonly microphone: Microphone | undefined;
  /** Undefined if audio was connected without a speaker. */
  readonly speaker: Speaker | undefined;
  readonly #session: AudioSession;
  readonly #listeners = new Listeners();
  readonly #endings: (() => void)[] = [];
  #mode: TalkMode;
  /** `last`: released, but the chunk in progress has not been sent yet, or the session reconnects. */
  #hold: 'no' | 'held' | 'last' = 'no';
  /** Seconds of audio sent in this turn. */
  #sent = 0;
  #closing: Promise<void> | undefined;

  /** @internal */
  constructor(session: AudioSession, { microphone, speaker, mode }: Parts) {
    this.microphone = microphone;
    this.speaker = speaker;
    this.#session = session;
    this.#mode = mode;
    const change = () => this.#changed();
    if (speaker) this.#endings.push(session.attachPlayer(speaker), speaker.onState(change));
    if (microphone)
      this.#endings.push(
        microphone.onAudio((audio) => this.#send(audio)),
        microphone.onEnded(() => this.#finishLast()),
        microphone.onEnded(change),
      );
    this.#endings.push(session.on('state', (change) => this.#follow(change)));
    this.#follow(session);
  }

  /** Whether the user is heard all the time or only while a button is held. Writable. */
  get mode(): TalkMode {
    return this.#mode;
  }

  set mode(mode: TalkMode) {
    this.#mode = mode;
    this.#become('no');
    this.#changed();
  }

  /** Whether the microphone is muted: silence is then sent. */
  get muted(): boolean {
    return this.microphone?.muted ?? false;
  }

  /** Whether the user is holding the button of `push-to-talk`. */
  get talking(): boolean {
    return this.#hold === 'held';
  }

  /** Whether this or the session was closed. */
  get closed(): boolean {
    return this.#closing !== undefined;
  }

  /** Why the microphone stopped. Undefined again once `microphone.use` has opened another one. */
  get problem(): ParleyError | undefined {
    return this.microphone?.problem;
  }

  /**
   * Current loudness of the user and the agent, each from 0 (silence) to 1. Read it as often as you
   * draw.
   */
  get levels(): { readonly microphone: number; readonly speaker: number } {
    return { microphone: this.microphone?.level ?? 0, speaker: this.speaker?.level ?? 0 };
  }

  /**
   * Calls `listener` when any property except `levels` changes, and when `speaker.state` changes.
   * Returns a function that removes the listener.
   */
  onChange(listener: () => void): () => void {
    return this.#listeners.add('change', listener);
  }

  /**
   * For `push-to-talk`: starts a turn. An answer that is being generated or played is interrupted.
   */
  hold(): void {
    if (this.#mode !== 'push-to-talk' || this.talking || this.closed) return;
    const { state, activity } = this.#session;
    const answered = activity === 'thinking' || activity === 'speaking' || this.speaker?.playing;
    if (state === 'open' && answered) this.#session.interrupt();
    if (this.#hold === 'no') this.#sent = 0;
    this.#become('held');
    this.#changed();
  }

  /**
   * For `push-to-talk`: ends the turn, and the agent answers. A press too short to contain speech
   * is ignored.
   */
  release(): void {
    if (!this.talking) return;
    this.#hold = 'last';
    if (this.#session.state !== 'open' || this.problem !== undefined) this.#finishLast();
    this.#changed();
  }

  /** Sends silence until `unmute` is called. */
  mute(): void {
    this.microphone?.mute();
    this.#changed();
  }

  /** Ends `mute`. */
  unmute(): void {
    this.microphone?.unmute();
    this.#changed();
  }

  /** Stops audio in both directions and releases the devices. The session stays open. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    for (const end of this.#endings) end();
    this.#become('no');
    await Promise.all([this.microphone?.close(), this.speaker?.close()]);
    this.#changed();
  }

  #send(audio: Int16Array | Uint8Array): void {
    if (this.#session.state !== 'open') return;
    if (this.#mode === 'push-to-talk' && this.#hold === 'no') return;
    this.#session.sendAudio(audio);
    this.#sent += audio.length / sampleRates[this.#session.inputFormat];
    this.#finishLast();
  }

  #finishLast(): void {
    if (this.#hold !== 'last' || this.#session.state === 'reconnecting') return;
    if (this.#session.state === 'open' && this.#sent >= SHORTEST_TURN_SECONDS)
      this.#session.commit();
    this.#become('no');
  }

  #become(hold: 'no' | 'held'): void {
    this.#hold = hold;
    if (this.#session.state === 'open') this.#session.setTalking?.(hold === 'held');
  }

  #changed(): void {
    this.#listeners.tell('change', undefined);
  }

  #follow({ state, resumed }: Pick<StateChange, 'state' | 'resumed'>): void {
    if (state === 'closed') void this.close();
    if (state !== 'open') return;
    // A new session has received nothing of this turn.
    if (!resumed) this.#sent = 0;
    if (this.talking) this.#become('held');
    this.#finishLast();
  }
}
