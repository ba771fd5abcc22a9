import type { ParleyError, RealtimeSession } from '@parley/client';
import { connectAudio, Microphone, Speaker, type SessionAudio } from '@parley/client/audio';
import type { AudioFormat } from '@parley/client';

export type VoiceOptions = {
  readonly format: AudioFormat;
  readonly deviceId: string | undefined;
};

/**
 * A microphone and a speaker that are opened when the user presses Talk, and connected once the
 * session is open.
 */
export class Voice {
  readonly #microphone: Microphone;
  readonly #speaker: Speaker;
  #audio: SessionAudio | undefined;
  #closed = false;

  private constructor(microphone: Microphone, speaker: Speaker) {
    this.#microphone = microphone;
    this.#speaker = speaker;
  }

  /** Called in the click handler, so that the browser allows sound. */
  static async open({ format, deviceId }: VoiceOptions): Promise<Voice> {
    const wanted = { format, ...(deviceId !== undefined && { deviceId }) };
    const opening = [Microphone.open(wanted), Speaker.open()] as const;
    try {
      return new Voice(...(await Promise.all(opening)));
    } catch (error) {
      for (const one of await Promise.allSettled(opening))
        if (one.status === 'fulfilled') void one.value.close();
      throw error;
    }
  }

  async attach(session: RealtimeSession, pushToTalk: boolean, tell: () => void): Promise<void> {
    const audio = await connectAudio(session, {
      microphone: this.#microphone,
      speaker: this.#speaker,
      mode: pushToTalk ? 'push-to-talk' : 'hands-free',
    });
    if (this.#closed) return void audio.close();
    this.#audio = audio;
    audio.onChange(tell);
  }

  get audio(): SessionAudio | undefined {
    return this.#audio;
  }

  get playing(): boolean {
    return this.#audio !== undefined && !this.closed && this.#speaker.playing;
  }

  get closed(): boolean {
    return this.#closed || this.#audio?.closed === true;
  }

  get problem(): ParleyError | undefined {
    return this.#audio?.problem;
  }

  get deviceId(): string | undefined {
    return this.#microphone.deviceId;
  }

  use(deviceId: string): Promise<void> {
    return this.#microphone.use(deviceId);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    void this.#audio?.close();
    void this.#microphone.close();
    void this.#speaker.close();
  }
}
