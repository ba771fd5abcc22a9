import { expect } from 'chai';
import {
  byteLengthOf,
  decodeSamples,
  encodeSamples,
  pcm24k,
  rateOf,
  resample,
  type AudioFormat,
} from '#src/core/audio-format.js';
import { findText } from '#src/core/hidden-text.js';
import { VoiceActivity, vadSettings } from '#src/core/vad.js';
import { heardText, spokenAudio } from '#src/spoken-audio.js';

const formats: AudioFormat[] = [pcm24k, { type: 'audio/pcmu' }, { type: 'audio/pcma' }];

describe('audio formats', () => {
  for (const format of formats)
    it(`${format.type} carries samples there and back`, () => {
      const samples = Int16Array.from([
        0, 1, -1, 100, -100, 1000, -1000, 12345, -12345, 32767, -32768,
      ]);
      const back = decodeSamples(format, encodeSamples(format, samples));
      samples.forEach((sample, i) =>
        expect(back[i]).to.be.closeTo(
          sample,
          format.type === 'audio/pcm' ? 0 : Math.abs(sample) / 16 + 16,
        ),
      );
    });

  it('agree with the values that G.711 defines', () => {
    const [, mulaw, alaw] = formats;
    expect([...encodeSamples(mulaw!, Int16Array.from([0, 32124, -32124]))]).to.deep.equal([
      0xff, 0x80, 0x00,
    ]);
    expect([...encodeSamples(alaw!, Int16Array.from([8, 32256, -32256]))]).to.deep.equal([
      0xd5, 0xaa, 0x2a,
    ]);
  });

  it('are resampled to an exact length', () => {
    expect(resample(new Int16Array(16_000), 16_000, 24_000)).to.have.length(24_000);
    expect([...resample(Int16Array.from([0, 100]), 1, 2)]).to.deep.equal([0, 50, 100, 100]);
  });
});

describe('the voice', () => {
  it('is real speech: loud, of a plausible length, and always the same', () => {
    const speech = spokenAudio('The weather in London is foggy.', { silenceMs: 0 });
    const samples = decodeSamples(pcm24k, speech);
    const loudness = Math.sqrt(samples.reduce((sum, s) => sum + s * s, 0) / samples.length);
    expect(loudness).to.be.greaterThan(500);
    expect(samples.length / rateOf(pcm24k)).to.be.within(1, 4);
    expect(
      spokenAudio('The weather in London is foggy.', { silenceMs: 0 }).equals(speech),
    ).to.equal(true);
  });

  for (const format of formats)
    it(`is understood in ${format.type}, from any piece that is long enough`, () => {
      const text = '!say Grüße, 世界! {"a": 1}';
      const speech = spokenAudio(text, { format });
      expect(heardText(speech, format)).to.equal(text);
      const piece = speech.subarray(byteLengthOf(format, 333), byteLengthOf(format, 900));
      expect(heardText(piece, format)).to.equal(text);
    });

  it('is made for text that cannot be pronounced, and for endless words', () => {
    expect(heardText(spokenAudio('你好'))).to.equal('你好');
    expect(heardText(spokenAudio(''))).to.equal('');
    const endless = 'x'.repeat(3000);
    expect(heardText(spokenAudio(endless))).to.equal(endless);
  });

  it('is not imagined in silence, noise or damaged sound', () => {
    expect(findText(Buffer.alloc(48_000), pcm24k)).to.equal(undefined);
    const damaged = spokenAudio('hello', { milliseconds: 50, silenceMs: 0 });
    for (let i = 0; i < damaged.length; i += 100) damaged[i] = (damaged[i] ?? 0) ^ 1;
    expect(findText(damaged, pcm24k)).to.equal(undefined);
    expect(heardText(Buffer.alloc(72_000))).to.equal('(1.5 seconds of speech)');
  });
});

describe('voice activity', () => {
  const settings = vadSettings({
    type: 'server_vad',
    threshold: 0.5,
    prefix_padding_ms: 300,
    silence_duration_ms: 200,
    idle_timeout_ms: null,
    create_response: true,
    interrupt_response: true,
  });
  const sound = (ms: number, level: number) => new Int16Array((24_000 * ms) / 1000).fill(level);
  const heard = (...parts: Int16Array[]) => {
    const vad = new VoiceActivity();
    return parts.flatMap((part) => vad.push(part, 24_000, settings));
  };

  it('starts with the padding before the first loud frame and ends after the silence', () => {
    expect(heard(sound(1000, 0), sound(400, 3000), sound(400, 0))).to.deep.equal([
      { type: 'started', startMs: 700 },
      { type: 'stopped', endMs: 1600 },
    ]);
  });

  it('ignores clicks and room noise', () => {
    expect(heard(sound(100, 0), sound(40, 9000), sound(100, 0), sound(2000, 200))).to.deep.equal(
      [],
    );
  });

  it('does not end in a pause that is shorter than the silence', () => {
    expect(heard(sound(400, 3000), sound(180, 0), sound(400, 3000))).to.have.length(1);
  });

  it('hears less when the threshold is higher', () => {
    const deaf = {
      ...settings,
      loudness: vadSettings({
        type: 'server_vad',
        threshold: 1,
        prefix_padding_ms: 0,
        silence_duration_ms: 0,
        idle_timeout_ms: null,
        create_response: true,
        interrupt_response: true,
      }).loudness,
    };
    expect(new VoiceActivity().push(sound(400, 500), 24_000, settings)).to.have.length(1);
    expect(new VoiceActivity().push(sound(400, 500), 24_000, deaf)).to.have.length(0);
  });
});
