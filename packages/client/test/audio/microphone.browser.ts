import { expect } from 'chai';
import { needs } from '@parley/testkit';
import { g711 } from '#src/audio/g711.js';
import type * as Audio from '#src/audio/index.js';
import type { ParleyError } from '#src/errors.js';
import { audioBrowser, insecureHost, plain, tones } from './audio-browser.js';
import { decibels, toneIn } from './tones.js';

describe('Microphone', () => {
  needs('chromium');
  const current = audioBrowser();

  /** What the microphone gives. */
  const record = (options: Audio.MicrophoneOptions, chunks: number) =>
    current.page.evaluate(
      async ({ options, chunks }) => {
        const { Microphone } = await library;
        const microphone = await Microphone.open(options);
        const heard: number[][] = [];
        await new Promise<void>((resolve) => {
          microphone.onAudio((audio) => {
            if (heard.push([...audio]) === chunks) resolve();
          });
        });
        const { level, label, deviceId } = microphone;
        await microphone.close();
        return { heard, level, label, deviceId };
      },
      { options, chunks },
    );

  it('gives what is heard as pcm16 at 24 kHz, and nothing that folds back', async () => {
    const { heard, level, label, deviceId } = await record(plain, 25);
    expect(heard.every(({ length }) => length === 960)).to.equal(true);
    const low = typicalAmplitude(heard.flat(), tones.low, 24_000);
    const high = typicalAmplitude(heard.flat(), 24_000 - tones.high, 24_000);
    expect(decibels(low / (tones.amplitude * 32_768))).to.be.within(-1, 1);
    expect(decibels(high / (tones.amplitude * 32_768))).to.be.below(-50);
    expect(level).to.be.within(0.5, 1);
    expect([label, deviceId]).to.deep.equal(['Fake Default Audio Input', 'default']);
    expect(current.complaints).to.deep.equal([]);
  });

  for (const format of ['g711_ulaw', 'g711_alaw'] as const)
    it(`gives ${format} at 8 kHz`, async () => {
      const { heard } = await record({ ...plain, format }, 15);
      expect(heard.every(({ length }) => length === 320)).to.equal(true);
      const samples = heard.flat().map(g711[format].decode);
      const low = typicalAmplitude(samples, tones.low, 8_000);
      expect(decibels(low / (tones.amplitude * 32_768))).to.be.within(-1, 1);
    });

  it('asks the browser to clean the sound, and for the device that was chosen', async () => {
    const asked = await current.page.evaluate(async () => {
      const { Microphone, listDevices } = await library;
      const microphone = await Microphone.open();
      const devices = await listDevices();
      const other = devices.findLast(({ kind }) => kind === 'microphone')!;
      await microphone.use(other.id);
      const { label, deviceId } = microphone;
      const live = opened.tracks.map(({ readyState }) => readyState);
      return { constraints: opened.constraints, other, label, deviceId, live };
    });
    const cleaned = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };
    expect(asked.constraints[0]?.audio).to.include(cleaned);
    expect(asked.constraints[1]?.audio).to.deep.include({ deviceId: { exact: asked.other.id } });
    expect(asked).to.include({ label: asked.other.label, deviceId: asked.other.id });
    expect(asked.live).to.deep.equal(['ended', 'live']);
  });

  it('is the one that was chosen last, however long an earlier choice takes', async () => {
    const { refusal, deviceId, last, live } = await current.page.evaluate(async (options) => {
      const { Microphone, listDevices } = await library;
      const microphone = await Microphone.open(options);
      const microphones = (await listDevices()).filter(({ kind }) => kind === 'microphone');
      const { mediaDevices } = navigator;
      const ask = mediaDevices.getUserMedia.bind(mediaDevices);
      let allow: () => void = () => undefined;
      mediaDevices.getUserMedia = async (wish) => {
        mediaDevices.getUserMedia = ask;
        await new Promise<void>((resolve) => (allow = resolve));
        return ask(wish);
      };
      const earlier = microphone.use(microphones[0]!.id).then(
        () => 'none',
        (error: unknown) => (error as ParleyError).code,
      );
      const last = microphones.at(-1)!.id;
      await microphone.use(last);
      allow();
      const refusal = await earlier;
      const live = opened.tracks.filter(({ readyState }) => readyState === 'live').length;
      return { refusal, deviceId: microphone.deviceId, last, live };
    }, plain);
    expect({ refusal, deviceId, live }).to.deep.equal({
      refusal: 'aborted',
      deviceId: last,
      live: 1,
    });
  });

  it('gives only silence from the moment it is muted', async () => {
    const { loud, silent, level } = await current.page.evaluate(async (options) => {
      const { Microphone } = await library;
      const microphone = await Microphone.open(options);
      const chunks = (count: number) =>
        new Promise<number[]>((resolve) => {
          const heard: number[] = [];
          const end = microphone.onAudio((audio) => {
            heard.push(Math.max(...audio));
            if (heard.length === count) resolve((end(), heard));
          });
        });
      await chunks(10);
      microphone.mute();
      const silent = await chunks(10);
      const { level } = microphone;
      microphone.unmute();
      const loud = await chunks(20);
      return { loud, silent, level };
    }, plain);
    expect(silent).to.deep.equal(Array(10).fill(0));
    expect(level).to.equal(0);
    expect(loud.at(-1)).to.be.above(5_000);
  });

  it('tells that it was lost, and goes on with another one', async () => {
    const { code, before, after, again } = await current.page.evaluate(async () => {
      const { Microphone } = await library;
      const microphone = await Microphone.open();
      const lost = new Promise<ParleyError>((resolve) => microphone.onEnded(resolve));
      opened.tracks[0]!.stop();
      opened.tracks[0]!.dispatchEvent(new Event('ended'));
      const { code } = await lost;
      const before = microphone.problem?.code;
      await microphone.use();
      const after = microphone.problem;
      const again = await new Promise<number>((resolve) =>
        microphone.onAudio(({ length }) => resolve(length)),
      );
      return { code, before, after, again };
    });
    expect([code, before]).to.deep.equal(['microphone-missing', 'microphone-missing']);
    expect(after).to.equal(undefined);
    expect(again).to.equal(960);
  });

  const refusal = (options: Audio.MicrophoneOptions = {}) =>
    current.page.evaluate(async (options) => {
      const { Microphone } = await library;
      const error = await Microphone.open(options).then(
        () => undefined,
        (error: unknown) => error as ParleyError,
      );
      return { code: error?.code, states: opened.contexts.map(({ state }) => state) };
    }, options);

  it('says that it was denied', async () => {
    await current.context.clearPermissions();
    expect(await refusal()).to.deep.equal({ code: 'microphone-denied', states: ['closed'] });
  });

  it('says that the chosen one is not there', async () => {
    const refused = await refusal({ deviceId: 'none' });
    expect(refused).to.deep.equal({ code: 'microphone-missing', states: ['closed'] });
  });

  it('says that the worklet is not where it was said to be', async () => {
    const refused = await refusal({ workletUrl: '/nowhere.js' });
    expect(refused).to.deep.equal({ code: 'worklet-failed', states: ['closed'] });
  });

  it('says that a page must be secure, which has no devices either', async () => {
    await current.page.goto(current.url.replace('127.0.0.1', insecureHost));
    expect(await refusal()).to.deep.equal({ code: 'audio-unsupported', states: [] });
    const devices = await current.page.evaluate(async () => {
      const { listDevices, onDevicesChange } = await library;
      onDevicesChange(() => undefined)();
      return listDevices();
    });
    expect(devices).to.deep.equal([]);
  });

  it('leaves nothing open when it is closed, also while it changes the device', async () => {
    const left = await current.page.evaluate(async () => {
      const { Microphone } = await library;
      const microphone = await Microphone.open();
      const changing = microphone.use().catch((error: unknown) => (error as ParleyError).code);
      await Promise.all([microphone.close(), microphone.close()]);
      return {
        changing: await changing,
        tracks: opened.tracks.map(({ readyState }) => readyState),
        contexts: opened.contexts.map(({ state }) => state),
      };
    });
    const ended = { changing: 'aborted', tracks: ['ended', 'ended'], contexts: ['closed'] };
    expect(left).to.deep.equal(ended);
  });
});

/** The median over pieces of 100 ms: a busy machine may leave gaps in what its microphone hears. */
function typicalAmplitude(samples: number[], frequency: number, rate: number): number {
  const size = rate / 10;
  const amplitudes = Array.from({ length: Math.floor(samples.length / size) }, (_, index) => {
    const piece = samples.slice(index * size, (index + 1) * size);
    return toneIn(piece, frequency, rate).amplitude;
  });
  return amplitudes.sort((a, b) => a - b)[amplitudes.length >> 1]!;
}
