import { expect } from 'chai';
import { needs } from '@parley/testkit';
import { Resampler } from '#src/audio/resampler.js';
import type { ParleyError } from '#src/errors.js';
import { audioBrowser } from './audio-browser.js';
import type { Recording } from './tap.js';
import { sine } from './tones.js';

describe('Speaker', () => {
  needs('chromium');
  const current = audioBrowser();

  it('plays what it was given, sample by sample and without a gap', async () => {
    const given = Int16Array.from({ length: 24_000 }, (_, n) => 9_000 * Math.sin(n * n * 1e-5));
    const { samples, rate } = await playAndStop({ samples: [...given], sounding: 0.9 });
    const played = Float32Array.from(samples);
    const first = played.findIndex((sample) => sample !== 0);
    const expected = new Resampler(24_000, rate).process(
      Float32Array.from(given, (sample) => sample / 32_768),
    );
    // The first sample may be 0, and the beginning is faded in.
    const shift = expected.findIndex((sample) => Math.abs(sample) > 1e-7) - first;
    const fade = Math.round(rate * 0.005);
    let worst = 0;
    for (let n = first + fade; n < first + rate * 0.8; n++)
      worst = Math.max(worst, Math.abs(played[n]! - expected[n + shift]!));
    expect(worst).to.be.below(0.001);
    expect(current.complaints).to.deep.equal([]);
  });

  it('knows what was heard when it is stopped, and is silent at once', async () => {
    const { samples, firstFrame, rate, stopped } = await playAndStop({
      samples: [...sine(400, 24_000, 2)].map((sample) => Math.round(9_000 * sample)),
      sounding: 0.5,
    });
    const sounds = samples.map((sample) => Number(sample !== 0));
    const first = firstFrame + sounds.indexOf(1);
    const last = firstFrame + sounds.lastIndexOf(1);
    const heardMs = (frame: number) => ((frame - first) / rate - stopped.latency) * 1000;
    expect(stopped.heard?.itemId).to.equal('item');
    expect(stopped.heard?.ms).to.be.within(heardMs(stopped.asked) - 5, heardMs(stopped.frame) + 5);
    expect(last - stopped.frame).to.be.below(0.02 * rate);
    expect(stopped.after).to.equal(null);
  });

  it('waits for a gesture of the user where the browser does, and tells', async () => {
    const says = async (state: string) => {
      const message = await current.page.waitForEvent('console', (one) => one.type() === 'info');
      expect(message.text()).to.equal(state);
    };
    await Promise.all([says('blocked'), current.page.goto(`${current.url}?#early`)]);
    await Promise.all([says('running'), current.page.getByRole('button').click()]);
  });

  it('changes its volume and its device, and refuses one that is not there', async () => {
    const outcome = await current.page.evaluate(async () => {
      const { Speaker, listDevices } = await library;
      const speaker = await Speaker.open({ volume: 0.5 });
      const { volume } = speaker;
      speaker.volume = 7;
      const devices = await listDevices();
      await speaker.use(devices.findLast(({ kind }) => kind === 'speaker')!.id);
      const missing = await speaker.use('none').catch((error: unknown) => error as ParleyError);
      return { volumes: [volume, speaker.volume], code: missing?.code };
    });
    expect(outcome).to.deep.equal({ volumes: [0.5, 1], code: 'audio-unsupported' });
  });

  it('is closed once, and ignores what comes afterwards', async () => {
    const { contexts, state, told, heard } = await current.page.evaluate(async () => {
      const { Speaker } = await library;
      const speaker = await Speaker.open();
      const closing = new Promise<string>((resolve) => speaker.onState(resolve));
      await Promise.all([speaker.close(), speaker.close()]);
      const chunk = { itemId: 'a', contentIndex: 0, audio: new Uint8Array(9_600) };
      speaker.play({ ...chunk, format: 'pcm16' });
      speaker.stop();
      const { state } = speaker;
      const contexts = opened.contexts.map((one) => one.state);
      return { contexts, state, told: await closing, heard: speaker.heard() };
    });
    expect([contexts, state, told, heard]).to.deep.equal([['closed'], 'closed', 'closed', null]);
  });

  /** Gives `samples` in uneven pieces, and stops when so many seconds of them have sounded. */
  const playAndStop = (play: { samples: number[]; sounding: number }) =>
    current.page.evaluate(async ({ samples, sounding }) => {
      const { Speaker } = await library;
      const speaker = await Speaker.open();
      const engine = speaker.output.context as AudioContext;
      await engine.audioWorklet.addModule('/test/tap.js');
      const tap = new AudioWorkletNode(engine, 'tap');
      speaker.output.connect(tap).connect(engine.destination);
      const reached = (awaited: object) =>
        new Promise<Recording>((resolve) => {
          tap.port.onmessage = ({ data }: MessageEvent<Recording>) => resolve(data);
          tap.port.postMessage(awaited);
        });
      const bytes = new Uint8Array(Int16Array.from(samples).buffer);
      for (let at = 0, size = 777; at < bytes.length; at += size, size = (size * 3) % 10_007) {
        const audio = bytes.slice(at, at + size);
        speaker.play({ itemId: 'item', contentIndex: 0, audio, format: 'pcm16' });
      }
      const rate = engine.sampleRate;
      await reached({ sounding: sounding * rate });
      const now = () => Math.round(engine.currentTime * rate);
      const asked = now();
      const heard = speaker.heard();
      const frame = now();
      speaker.stop();
      const latency = engine.outputLatency;
      const stopped = { asked, heard, frame, latency, after: speaker.heard() };
      const recording = await reached({ frame: frame + 0.3 * rate });
      return { rate, stopped, firstFrame: recording.firstFrame, samples: [...recording.samples] };
    }, play);
});
