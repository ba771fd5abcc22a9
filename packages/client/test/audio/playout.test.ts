import { expect } from 'chai';
import { Playout, UNITS_PER_SECOND } from '#src/audio/playout.js';
import { decibels, rms, sine, toneIn } from './tones.js';

const RATE = 48_000;
const CUSHION = 0.08 * RATE;
const FADE = 0.005 * RATE;
const QUANTUM = 128;

const tone = (seconds: number, frequency = 400, rate = 24_000) =>
  Int16Array.from(sine(frequency, rate, seconds), (sample) => sample * 16_384);

/** As the worklet does it. */
function render(playout: Playout, quanta: number): number[] {
  const output = new Float32Array(QUANTUM);
  return Array.from({ length: quanta }, () => {
    playout.render(output);
    return [...output];
  }).flat();
}
const untilSilent = (playout: Playout) => render(playout, 450);
const firstSound = (samples: number[]) => samples.findIndex((sample) => sample !== 0);
const lastSound = (samples: number[]) => samples.findLastIndex((sample) => sample !== 0);
/** The largest step from one sample to the next: a click is a large one. */
const roughness = (samples: number[]) =>
  samples.reduce((most, sample, n) => Math.max(most, Math.abs(sample - (samples[n - 1] ?? 0))), 0);
/** Of a tone of 400 Hz at half the full scale. */
const SMOOTH = (0.5 * 2 * Math.PI * 400) / RATE + 0.003;

describe('Playout', () => {
  it('plays what it was given, however it was cut, without a gap', () => {
    const playout = new Playout(RATE, CUSHION);
    const sound = tone(1);
    for (let at = 0, size = 1; at < sound.length; at += size, size = (size * 5 + 3) % 997)
      playout.push(0, sound.slice(at, at + size), 24_000);
    const played = untilSilent(playout);
    const first = firstSound(played);
    expect(lastSound(played) - first).to.be.within(RATE * 0.998, RATE);
    expect(roughness(played)).to.be.below(SMOOTH);
    const body = played.slice(first + FADE, first + RATE - 2 * FADE);
    const { amplitude } = toneIn(body, 400, RATE);
    const rest = Math.sqrt(2) * rms(body) - amplitude;
    expect(decibels(amplitude / 0.5)).to.be.within(-0.1, 0.1);
    expect(rest).to.be.below(0.002);
  });

  it('starts with the first frames after the cushion is there, and not before', () => {
    const playout = new Playout(RATE, CUSHION);
    playout.push(0, tone(0.07), 24_000);
    expect(render(playout, 4).every((sample) => sample === 0)).to.equal(true);
    playout.push(0, tone(0.02), 24_000);
    expect(render(playout, 1).some((sample) => sample !== 0)).to.equal(true);
  });

  it('plays what is shorter than the cushion, after the cushion’s time', () => {
    const playout = new Playout(RATE, CUSHION);
    playout.push(0, tone(0.03), 24_000);
    const played = untilSilent(playout);
    expect(firstSound(played)).to.be.within(CUSHION, CUSHION + 2 * QUANTUM);
    expect(lastSound(played) - firstSound(played)).to.be.within(0.027 * RATE, 0.03 * RATE);
  });

  it('fades when it runs out, and gathers a cushion again', () => {
    const playout = new Playout(RATE, CUSHION);
    playout.push(0, tone(0.1003), 24_000);
    const before = untilSilent(playout);
    expect(playout.playing).to.equal(false);
    playout.push(0, tone(0.05), 24_000);
    const waiting = render(playout, 10);
    expect(firstSound(waiting)).to.equal(-1);
    playout.push(0, tone(0.05), 24_000);
    const after = untilSilent(playout);
    expect(lastSound(after) - firstSound(after)).to.be.within(0.097 * RATE, 0.1 * RATE);
    expect(roughness([...before, ...waiting, ...after])).to.be.below(SMOOTH);
  });

  it('is silent a fade after a stop, without a click, and forgets what waited', () => {
    const playout = new Playout(RATE, CUSHION);
    playout.push(0, tone(2), 24_000);
    const before = render(playout, 50);
    playout.stop(1);
    const after = untilSilent(playout);
    expect(firstSound(after)).to.equal(0);
    expect(lastSound(after)).to.be.below(FADE);
    expect(roughness([...before, ...after])).to.be.below(SMOOTH);
    expect(playout).to.include({ playing: false, position: 0 });
  });

  it('plays nothing of a run that was stopped, and what comes for the next one', () => {
    const playout = new Playout(RATE, CUSHION);
    playout.push(0, tone(1), 24_000);
    render(playout, 20);
    playout.push(1, tone(0.2, 800), 24_000);
    playout.push(0, tone(1), 24_000);
    const played = untilSilent(playout);
    expect(lastSound(played)).to.be.within(0.197 * RATE, 0.2 * RATE);
    expect(toneIn(played.slice(0, 0.2 * RATE), 800, RATE).amplitude).to.be.above(0.4);
  });

  it('counts its position in units of the run, exactly when all was played', () => {
    const playout = new Playout(RATE, CUSHION);
    playout.push(0, tone(0.5), 24_000);
    render(playout, 100);
    const seconds = (100 * QUANTUM) / RATE;
    expect(playout.position).to.equal(seconds * UNITS_PER_SECOND);
    untilSilent(playout);
    expect(playout.position).to.equal(0.5 * UNITS_PER_SECOND);
  });

  it('plays 8 kHz and 24 kHz in their own time', () => {
    const playout = new Playout(44_100, 0.08 * 44_100);
    for (const rate of [8_000, 24_000]) {
      playout.push(rate, tone(1, 400, rate), rate);
      const played = untilSilent(playout);
      expect(lastSound(played)).to.be.within(0.996 * 44_100, 44_100);
      expect(toneIn(played.slice(1_000, 43_000), 400, 44_100).amplitude).to.be.within(0.49, 0.51);
      expect(playout.position).to.equal(UNITS_PER_SECOND);
    }
  });

  it('takes empty pieces, and no sound at all', () => {
    const playout = new Playout(RATE, CUSHION);
    playout.push(0, new Int16Array(0), 24_000);
    expect(firstSound(untilSilent(playout))).to.equal(-1);
    playout.push(0, Int16Array.of(9_000), 24_000);
    untilSilent(playout);
    expect(playout).to.include({ playing: false, position: 1 });
  });
});
