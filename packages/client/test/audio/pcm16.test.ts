import { expect } from 'chai';
import { Pcm16Reader, toInt16 } from '#src/audio/pcm16.js';

describe('pcm16', () => {
  it('holds full scale, and limits what is louder', () => {
    const samples = [0, 0.5, -1, 1, 7, -7].map(toInt16);
    expect(samples).to.deep.equal([0, 16_384, -32_768, 32_767, 32_767, -32_768]);
  });

  it('is read from bytes that were cut in the middle of a sample', () => {
    const bytes = new Uint8Array(Int16Array.from([1, -2, 300, -32_768, 32_767]).buffer);
    for (let first = 0; first <= bytes.length; first++)
      for (let second = first; second <= bytes.length; second++) {
        const reader = new Pcm16Reader();
        const pieces = [
          bytes.subarray(0, first),
          bytes.subarray(first, second),
          bytes.subarray(second),
        ];
        const samples = pieces.flatMap((piece) => [...reader.read(piece)]);
        expect(samples).to.deep.equal([1, -2, 300, -32_768, 32_767]);
      }
  });
});
