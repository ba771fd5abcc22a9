import { connectAudio, Microphone, Speaker, type SessionAudio } from '../audio/index.js';
import type { ParleyError } from '../errors.js';
import type { RealtimeSession } from '../session/realtime-session.js';
import type { Talk } from './situation.js';

const modes = { 'hands-free': 'hands-free', push: 'push-to-talk' } as const;

/**
 * A microphone and a speaker that are opened when the user presses Talk, and connected once the
 * session is open.
 */
export class Voice {
  readonly #microphone: Microphone;
  readonly #speaker: Speaker;
  #audio: SessionAudio | undefined;
  #isClosed = false;

  private constructor(microphone: Microphone, speaker: Speaker) {
    this.#microphone = microphone;
    this.#speaker = speaker;
  }

  /**
   * Called in the click handler, so that the browser allows sound. Throws a `ParleyError` that says
   * why it failed.
   */
  static async open(): Promise<Voice> {
    const opening = [Microphone.open(), Speaker.open()] as const;
    try {
      return new Voice(...(await Promise.all(opening)));
    } catch (error) {
      for (const one of await Promise.allSettled(opening))
        if (one.status === 'fulfilled') void one.value.close();
      throw error;
    }
  }

  async attach(session: RealtimeSession, talk: Talk, onChange: () => void): Promise<void> {
    const isFit = this.#microphone.format === session.inputFormat;
    if (!isFit) await this.#microphone.close();
    const audio = await connectAudio(session, {
      microphone: isFit ? this.#microphone : {},
      speaker: this.#speaker,
      mode: modes[talk],
    });
    if (this.#isClosed) return void audio.close();
    this.#audio = audio;
    audio.onChange(onChange);
  }

  get isPlaying(): boolean {
    return this.#audio !== undefined && !this.isClosed && this.#speaker.playing;
  }

  get isHeld(): boolean {
    return this.#audio?.talking === true;
  }

  get isClosed(): boolean {
    return this.#isClosed || this.#audio?.closed === true;
  }

  get problem(): ParleyError | undefined {
    return this.#audio?.problem;
  }

  /** 0 to 1: loudness of the agent while it speaks, otherwise of the user. */
  get level(): number {
    const levels = this.#audio?.levels;
    if (!levels) return 0;
    return this.isPlaying ? levels.speaker : levels.microphone;
  }

  hold(): void {
    this.#audio?.hold();
  }

  release(): void {
    this.#audio?.release();
  }

  setMuted(isMuted: boolean): void {
    if (isMuted) this.#audio?.mute();
    else this.#audio?.unmute();
  }

  setTalk(talk: Talk): void {
    if (this.#audio && this.#audio.mode !== modes[talk]) this.#audio.mode = modes[talk];
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    void this.#audio?.close();
    void this.#microphone.close();
    void this.#speaker.close();
  }
}
