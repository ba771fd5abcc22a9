import { expect } from 'chai';
import { loudness } from '#src/audio/meter.js';
import { sine } from './tones.js';

describe('loudness', () => {
  const tone = (amplitude: number) => sine(440, 44_000, 0.1).map((sample) => sample * amplitude);

  it('is 0 for silence and 1 for the loudest sound, and never beyond', () => {
    const square = Float32Array.from({ length: 1024 }, (_, n) => (n & 1 ? 1 : -1));
    expect(loudness(new Float32Array(1024))).to.equal(0);
    expect(loudness(tone(1e-6))).to.equal(0);
    expect(loudness(square)).to.equal(1);
    expect(loudness(square.map((sample) => sample * 3))).to.equal(1);
  });

  it('grows by the same step each time the sound gets twice as strong', () => {
    const levels = [0.05, 0.1, 0.2, 0.4].map((amplitude) => loudness(tone(amplitude)));
    const steps = levels.slice(1).map((level, index) => level - levels[index]!);
    for (const step of steps) expect(step).to.be.closeTo(0.1, 0.001);
  });
});
