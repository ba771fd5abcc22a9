// Sound that the simulator understands, for tests and demos, and the way back.
import { byteLengthOf, pcm24k, type AudioFormat } from './core/audio-format.js';
import { hear } from './core/hearing.js';
import { humText, speak } from './speech/voice.js';

export type SpokenAudioOptions = {
  format?: AudioFormat;
  /** A hum of this length instead of speech: short, and understood just the same. */
  milliseconds?: number;
  /** Silence after the words, so that turn detection sees their end. Default 700 ms. */
  silenceMs?: number;
};

/** The bytes to put (base64) into `input_audio_buffer.append`, in frames of any size. */
export function spokenAudio(text: string, options: SpokenAudioOptions = {}): Buffer {
  const { format = pcm24k, milliseconds, silenceMs = 700 } = options;
  const words =
    milliseconds === undefined
      ? speak({ text, format, voice: 'echo', speed: 1 })
      : humText(text, format, milliseconds);
  return Buffer.concat([words, silence(format, silenceMs)]);
}

/** The text of sound made here; of any other sound, how long it is. */
export const heardText = (bytes: Buffer, format: AudioFormat = pcm24k): string =>
  hear(bytes, format);

const silentByte = { 'audio/pcm': 0x00, 'audio/pcmu': 0xff, 'audio/pcma': 0xd5 } as const;

const silence = (format: AudioFormat, ms: number): Buffer =>
  Buffer.alloc(byteLengthOf(format, ms), silentByte[format.type]);
