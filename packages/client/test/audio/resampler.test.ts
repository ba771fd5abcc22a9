import { expect } from 'chai';
import { Resampler } from '#src/audio/resampler.js';
import { decibels, rms, sine, toneIn } from './tones.js';

const rates = [8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000];
const pairs = rates.flatMap((device) => [
  [device, 24_000] as const,
  [device, 8_000] as const,
  [24_000, device] as const,
  [8_000, device] as const,
]);
/** Without the edges, where the filter looks at what was before and after the sound. */
const middle = (samples: Float32Array, rate: number) =>
  samples.slice(rate * 0.03, samples.length - rate * 0.03);

describe('Resampler', () => {
  it('keeps level and phase of what both rates can carry, at every rate that devices have', () => {
    for (const [from, to] of pairs)
      for (const share of [0.05, 0.4, 0.8]) {
        const frequency = (share * Math.min(from, to)) / 2;
        const output = new Resampler(from, to).process(sine(frequency, from, 0.15));
        const start = Math.round(to * 0.03);
        const { amplitude, phase } = toneIn(output.slice(start), frequency, to);
        const expected = (2 * Math.PI * frequency * start) / to;
        const label = `${frequency} Hz from ${from} to ${to}`;
        expect(Math.abs(decibels(amplitude)), label).to.be.below(0.1);
        expect(Math.abs(Math.sin((phase - expected) / 2)), label).to.be.below(0.01);
      }
  });

  it('lets nothing through from above what the lower rate can carry', () => {
    for (const [from, to] of pairs.filter(([from, to]) => from > to))
      for (const frequency of [to / 2, to * 0.6, from / 2 - 100].filter((one) => one < from / 2)) {
        const output = middle(new Resampler(from, to).process(sine(frequency, from, 0.15)), to);
        expect(decibels(rms(output)), `${frequency} Hz from ${from} to ${to}`).to.be.below(-60);
      }
  });

  it('adds no images above what the lower rate had', () => {
    for (const [from, to] of pairs.filter(([from, to]) => from < to)) {
      const frequency = 0.3 * from;
      const output = new Resampler(from, to).process(sine(frequency, from, 0.15));
      const image = toneIn(middle(output, to), from - frequency, to);
      expect(decibels(image.amplitude), `from ${from} to ${to}`).to.be.below(-60);
    }
  });

  it('gives the same whatever the pieces are that the sound comes in', () => {
    const sound = Float32Array.from({ length: 5_000 }, (_, n) => Math.sin(n * n));
    for (const [from, to] of pairs) {
      const whole = [...new Resampler(from, to).process(sound)];
      const resampler = new Resampler(from, to);
      const pieces: number[] = [];
      for (let at = 0, size = 0; at < sound.length; at += size, size = (size * 7 + 1) % 311)
        pieces.push(...resampler.process(sound.subarray(at, at + size)));
      expect(pieces.length, `from ${from} to ${to}`).to.equal(whole.length);
      expect(pieces, `from ${from} to ${to}`).to.deep.equal(whole);
    }
  });

  it('keeps time: as much comes out as went in, but for what it looks ahead at', () => {
    for (const [from, to] of pairs) {
      const resampler = new Resampler(from, to);
      const { length } = resampler.process(new Float32Array(from / 5));
      expect(length).to.be.within(
        to / 5 - Math.ceil((resampler.lookahead * to) / from) - 1,
        to / 5,
      );
    }
  });

  it('forgets what came before a reset', () => {
    const sound = sine(440, 48_000, 0.1);
    const resampler = new Resampler(48_000, 24_000);
    const first = [...resampler.process(sound)];
    resampler.reset();
    expect([...resampler.process(sound)]).to.deep.equal(first);
  });
});
