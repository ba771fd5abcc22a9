// The simulator's voice: text in, sound in a wire format out, always the same for the same request.
// Pauses are shortened so that turn detection does not cut a sentence in two, and the text is
// hidden in the sound so that it can be understood again.
import { createHash } from 'node:crypto';
import { encodeSamples, rateOf, resample, type AudioFormat } from '../core/audio-format.js';
import { hideText } from '../core/hidden-text.js';
import type { VoiceRequest } from '../core/world.js';
import { fliteRate, runFlite } from './flite.js';

const longestText = 4000;
const longestWord = 40;
const longestPauseMs = 120;
const quiet = 200;
const cacheBytes = 32 * 1024 * 1024;

const cache = new Map<string, Buffer>();
let cached = 0;

export function speak(request: VoiceRequest): Buffer {
  const key = createHash('sha256').update(JSON.stringify(request)).digest('base64');
  const known = cache.get(key);
  if (known) return known;
  const bytes = synthesise(request);
  cached += bytes.length;
  for (const [old, sound] of cache) {
    if (cached <= cacheBytes) break;
    cache.delete(old);
    cached -= sound.length;
  }
  cache.set(key, bytes);
  return bytes;
}

function synthesise({ text, format, voice, speed }: VoiceRequest): Buffer {
  const pronounced = text
    .slice(0, longestText)
    .split(/\s+/)
    .map((word) => word.slice(0, longestWord))
    .join(' ');
  const options = { pitchHz: pitchOf(voice), stretch: 1 / speed };
  const raw = tighten(runFlite(pronounced, options));
  const samples = raw.length > 0 ? raw : hum(fliteRate * Math.min(3, 0.3 + text.length * 0.05));
  return wire(samples, format, text);
}

/** A hum of a given length that means `text`: quicker to make and to send than speech. */
export function humText(text: string, format: AudioFormat, ms: number): Buffer {
  return wire(hum((fliteRate * ms) / 1000), format, text);
}

function wire(samples: Int16Array, format: AudioFormat, text: string): Buffer {
  const bytes = encodeSamples(format, resample(samples, fliteRate, rateOf(format)));
  hideText(bytes, format, text);
  return bytes;
}

/** Each voice keeps its own pitch between 85 and 165 Hz. */
function pitchOf(voice: string): number {
  let sum = 0;
  for (const letter of voice) sum += letter.codePointAt(0) ?? 0;
  return 85 + (sum % 9) * 10;
}

function tighten(samples: Int16Array): Int16Array {
  const allowed = (fliteRate * longestPauseMs) / 1000;
  const kept = new Int16Array(samples.length);
  let length = 0;
  let quietRun = 0;
  for (const sample of samples) {
    quietRun = Math.abs(sample) < quiet ? quietRun + 1 : 0;
    if (quietRun <= allowed) kept[length++] = sample;
  }
  return kept.subarray(0, length);
}

function hum(length: number): Int16Array {
  const samples = new Int16Array(Math.floor(length));
  for (let i = 0; i < samples.length; i++)
    samples[i] = Math.round(4000 * Math.sin((2 * Math.PI * 180 * i) / fliteRate));
  return samples;
}
