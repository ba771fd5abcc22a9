import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { spokenAudio } from '@parley/provider-simulator';
import { needs, temporaryFolder } from '@parley/testkit';
import { Resampler } from '#src/audio/resampler.js';
import { wav } from './audio/wav.js';
import { bundled } from './support/bundled.js';
import { Customer } from './support/customer.js';
import { openBrowser } from './support/open-browser.js';
import type * as VoicePage from './voice-page.js';

declare global {
  const voice: typeof VoicePage;
}

const rate = 24_000;

/** Silence, a sentence, and silence. */
function sentence(): Float32Array {
  const spoken = spokenAudio('Could you tell me how late it is, please?', { silenceMs: 0 });
  const samples = new Float32Array(rate * 12);
  samples.set(
    Float32Array.from({ length: spoken.length / 2 }, (_, n) => spoken.readInt16LE(n * 2) / 32_768),
    rate * 2,
  );
  return samples;
}

describe('a conversation by voice, in a browser', () => {
  needs('chromium');
  let customer: Customer;
  let browser: Browser;
  let page: Page;
  let baseUrl: string;

  before(async () => {
    customer = await Customer.open();
    ({ baseUrl } = customer.parley.credentials);
    const file = join(await temporaryFolder(), 'sentence.wav');
    await writeFile(file, wav(sentence(), rate));
    customer.headers['Content-Security-Policy'] =
      `default-src 'none'; script-src 'self'; connect-src 'self' ${baseUrl.replace('http', 'ws')}`;
    const served = async (path: string) => ({
      type: 'text/javascript',
      body: await readFile(join(import.meta.dirname, path)),
    });
    const script = await bundled(
      `import * as voice from './voice-page.js'; globalThis.voice = voice;`,
    );
    customer.files.set('/', {
      type: 'text/html',
      body: '<!doctype html><script type="module" src="/page.js"></script>',
    });
    customer.files.set('/page.js', { type: 'text/javascript', body: script });
    customer.files.set('/audio-worklet.js', await served('../dist/audio-worklet.js'));
    customer.files.set('/tap.js', await served('audio/tap.js'));
    browser = await openBrowser(
      '--autoplay-policy=no-user-gesture-required',
      `--use-file-for-fake-audio-capture=${file}%noloop`,
    );
  });
  beforeEach(async () => {
    const context = await browser.newContext({ permissions: ['microphone'] });
    page = await context.newPage();
    await page.goto(customer.origin);
    await page.waitForFunction('globalThis.voice');
  });
  afterEach(() => page.context().close());
  after(async () => {
    await browser.close();
    await customer.close();
  });

  it('is transcribed, and answered audibly: what sounds is what was sent', async () => {
    const heard = await page.evaluate((baseUrl) => voice.spokenTurn(baseUrl), baseUrl);
    expect(heard.messages.map(({ role, final }) => ({ role, final }))).to.deep.equal([
      { role: 'user', final: true },
      { role: 'assistant', final: true },
    ]);
    for (const { text } of heard.messages) expect(text).to.match(/\w/);
    expect(heard.closed).to.equal(true);
    const sent = Float32Array.from(heard.sent, (sample) => sample / 32_768);
    const expected = new Resampler(rate, heard.rate).process(sent);
    const alike = likeness(Float32Array.from(heard.samples), expected, heard.rate / 1000);
    expect(alike).to.be.above(0.9);
  });

  it('keeps of an answer that the user interrupts what was heard', async () => {
    const { answer, heardMs, stopped, ...heard } = await page.evaluate(
      (baseUrl) => voice.bargeIn(baseUrl),
      baseUrl,
    );
    const played = Float32Array.from(heard.samples);
    const stop = stopped.frame - heard.firstFrame;
    expect(played.findLastIndex((sample) => sample !== 0) - stop).to.be.below(0.02 * heard.rate);
    const sent = Float32Array.from(heard.sent, (sample) => sample / 32_768);
    const expected = new Resampler(rate, heard.rate).process(sent);
    const reached = played.subarray(0, stop - Math.round(stopped.latency * heard.rate));
    const { last, after } = lastHeard(reached, expected, heard.rate / 1000);
    expect(heardMs).to.be.within(last - 60, last + after + 60);
    expect(answer.interrupted).to.equal(true);
    expect(answer.share).to.be.within(0.01, 0.99);
  });
});

/**
 * Which millisecond of a sound was the last that can be told from what was played, and how much was played after it: a
 * pause of the sound, or the silence and the fades of a connection that was late.
 */
function lastHeard(played: Float32Array, sent: Float32Array, samplesPerMs: number) {
  const length = 60 * samplesPerMs;
  let end = played.findLastIndex((sample) => Math.abs(sample) > blank) + 1;
  let found = bestMatch(sent, played.subarray(end - length, end));
  while (found.alike < 0.98 && end > 2 * length) {
    end -= length / 3;
    found = bestMatch(sent, played.subarray(end - length, end));
  }
  expect(found.alike).to.be.at.least(0.98);
  return {
    last: (found.at + length) / samplesPerMs,
    after: (played.length - end) / samplesPerMs,
  };
}

/** Where a sound is most like the wanted one, and how much. */
function bestMatch(sound: Float32Array, wanted: Float32Array): { at: number; alike: number } {
  let [alike, at] = [0, 0];
  const look = (from: number) => {
    const found = correlation(sound, wanted, from);
    if (found > alike) [alike, at] = [found, from];
  };
  for (let from = 0; from + wanted.length <= sound.length; from += 4) look(from);
  for (let from = at - 4, to = at + 4; from <= to; from += 1) look(from);
  return { at, alike };
}

const blockMs = 250;
const blank = 1e-3;

/** The share of blocks of a sound that another plays in their order. A connection that stalls may put silence between two of them, or into one. */
function likeness(played: Float32Array, expected: Float32Array, samplesPerMs: number): number {
  const audible = (sample: number) => Math.abs(sample) > blank;
  const [block, longestStall] = [blockMs * samplesPerMs, 500 * samplesPerMs];
  // Where it begins is faded in, so the first audible sample may be a later one.
  let shift = played.findIndex(audible) - expected.findIndex(audible) - 10 * samplesPerMs;
  let [alike, all] = [0, 0];
  for (let at = 0; at + block <= expected.length; at += block) {
    const wanted = expected.subarray(at, at + block);
    if (!wanted.some(audible)) continue;
    all += 1;
    const found = (more: number) => correlation(played, wanted, at + shift + more) > 0.98;
    let more = 0;
    while (more < longestStall && !found(more)) more += 1;
    if (more === longestStall) continue;
    shift += more;
    alike += 1;
  }
  return alike / all;
}

function correlation(played: Float32Array, wanted: Float32Array, from: number): number {
  let [both, one, other] = [0, 0, 0];
  for (let n = 0; n < wanted.length; n += 1) {
    const sample = played[from + n] ?? 0;
    both += sample * wanted[n]!;
    one += sample * sample;
    other += wanted[n]! * wanted[n]!;
  }
  return both / Math.sqrt(one * other);
}
