import { ParleyError } from '../errors.js';
import { Listeners } from '../session/listeners.js';
import type { AudioFormat, Player, SessionState, StateChange } from '../session/types.js';
import { Microphone, type MicrophoneOptions } from './microphone.js';
import { sampleRates } from './sample-rates.js';
import { Speaker, type SpeakerOptions } from './speaker.js';

/** `push-to-talk`: the user is heard from `hold` to `release` only, and that is a turn. The session needs `turnDetection` `none` then. */
export type TalkMode = 'hands-free' | 'push-to-talk';

/** What is wired to a session. */
export type AudioOptions = {
  /** How to open the microphone, or one that is open, in the format of the session; false for none, and nobody is asked. */
  readonly microphone?: Microphone | MicrophoneOptions | false;
  /** How to open the speaker, or one that is open; false for none. */
  readonly speaker?: Speaker | SpeakerOptions | false;
  /** `hands-free` by default. */
  readonly mode?: TalkMode;
};

/** What audio needs of a session; `RealtimeSession` has it. */
export type AudioSession = {
  /** Audio is sent while it is `open`, and everything is closed when it is `closed`. */
  readonly state: SessionState;
  /** Whether `hold` has something to interrupt. */
  readonly activity: 'idle' | 'listening' | 'thinking' | 'speaking';
  /** What `sendAudio` takes. */
  readonly inputFormat: AudioFormat;
  /** Tells changes of `state`. */
  on(type: 'state', listener: (change: StateChange) => void): () => void;
  /** Takes what the microphone hears. */
  sendAudio(audio: Int16Array | Uint8Array): void;
  /** Ends a turn of `push-to-talk`. */
  commit(): void;
  /** Stops an answer. */
  interrupt(): void;
  /** Takes the speaker. */
  attachPlayer(player: Player): () => void;
};

/** Providers take no shorter turn. */
const SHORTEST_TURN_SECONDS = 0.1;

/**
 * Opens a microphone and a speaker, and wires them to the session: it hears the user, and the user hears the agent. Call it in a click handler,
 * since browsers ask for permission and let no page sound before. Rejects with a `ParleyError` as `Microphone.open` and `Speaker.open` do, and
 * leaves nothing open then.
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

/** A session's microphone and speaker. It owns both, and closes them with itself or with the session. */
export class SessionAudio {
  /** Undefined if there was to be none. */
  readonly microphone: Microphone | undefined;
  /** Undefined if there was to be none. */
  readonly speaker: Speaker | undefined;
  readonly #session: AudioSession;
  readonly #listeners = new Listeners();
  readonly #endings: (() => void)[] = [];
  #mode: TalkMode;
  /** `last`: released, and the chunk that was begun is still to be sent. */
  #hold: 'no' | 'held' | 'last' = 'no';
  /** Seconds of the turn that were sent. */
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
    this.#endings.push(session.on('state', ({ state }) => this.#follow(state)));
    this.#follow(session.state);
  }

  /** Whether the user is heard all the time or while a button is held. You may change it. */
  get mode(): TalkMode {
    return this.#mode;
  }

  set mode(mode: TalkMode) {
    this.#mode = mode;
    this.#hold = 'no';
    this.#changed();
  }

  /** Whether silence is sent instead of what the user says. */
  get muted(): boolean {
    return this.microphone?.muted ?? false;
  }

  /** Whether the user holds the button of `push-to-talk`. */
  get talking(): boolean {
    return this.#hold === 'held';
  }

  /** Whether it was closed, or the session was. */
  get closed(): boolean {
    return this.#closing !== undefined;
  }

  /** Why the microphone gives nothing any more, until `microphone.use` has found another one. */
  get problem(): ParleyError | undefined {
    return this.microphone?.problem;
  }

  /** How loud the user and the agent are now, from 0 (silence) to 1 each. Read it as often as you draw. */
  get levels(): { readonly microphone: number; readonly speaker: number } {
    return { microphone: this.microphone?.level ?? 0, speaker: this.speaker?.level ?? 0 };
  }

  /** Calls `listener` when anything of this has changed but the levels, and when `speaker.state` has. Returns what ends it. */
  onChange(listener: () => void): () => void {
    return this.#listeners.add('change', listener);
  }

  /** `push-to-talk`: the user is heard from now on. An answer that is still coming or playing is interrupted. */
  hold(): void {
    if (this.#mode !== 'push-to-talk' || this.talking || this.closed) return;
    const { state, activity } = this.#session;
    const answered = activity === 'thinking' || activity === 'speaking' || this.speaker?.playing;
    if (state === 'open' && answered) this.#session.interrupt();
    if (this.#hold === 'no') this.#sent = 0;
    this.#hold = 'held';
    this.#changed();
  }

  /** `push-to-talk`: ends the turn, and the agent answers. A touch too short to say anything is no turn. */
  release(): void {
    if (!this.talking) return;
    this.#hold = 'last';
    if (this.#session.state !== 'open' || this.problem !== undefined) this.#finishLast();
    this.#changed();
  }

  /** From now on silence is sent, until `unmute`. */
  mute(): void {
    this.microphone?.mute();
    this.#changed();
  }

  /** Ends `mute`. */
  unmute(): void {
    this.microphone?.unmute();
    this.#changed();
  }

  /** Ends both ways of the sound and lets go of the devices. The session goes on. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    for (const end of this.#endings) end();
    this.#hold = 'no';
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
    if (this.#hold !== 'last') return;
    if (this.#session.state === 'open' && this.#sent >= SHORTEST_TURN_SECONDS)
      this.#session.commit();
    this.#hold = 'no';
  }

  #changed(): void {
    this.#listeners.tell('change', undefined);
  }

  #follow(state: SessionState): void {
    // Another connection has heard nothing of the turn.
    if (state !== 'open') this.#sent = 0;
    if (state === 'closed') void this.close();
  }
}
