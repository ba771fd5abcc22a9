import { expect } from 'chai';
import { g711 } from '#src/audio/g711.js';

/** The tables of ITU-T G.711 for positive values: step q of segment s, in its own 14 and 13 bits, here brought to 16. */
const tables = {
  g711_ulaw: (s: number, q: number) => 4 * (((2 * q + 33) << s) - 33),
  g711_alaw: (s: number, q: number) => 8 * (s === 0 ? 2 * q + 1 : (2 * q + 33) << (s - 1)),
};
/** How the table's character signals are sent: all bits of µ-law inverted, every other one of A-law. */
const sent = {
  g711_ulaw: (s: number, q: number) => 0xff - (s * 16 + q),
  g711_alaw: (s: number, q: number) => 0xd5 ^ (s * 16 + q),
};
const codes = Array.from({ length: 256 }, (_, code) => code);

for (const law of ['g711_ulaw', 'g711_alaw'] as const)
  describe(law, () => {
    const { encode, decode } = g711[law];

    it('decodes to the values of the ITU’s table, with the same for both signs', () => {
      for (let index = 0; index < 128; index++) {
        const [s, q] = [index >> 4, index & 15];
        const value = tables[law](s, q);
        expect(decode(sent[law](s, q)), `segment ${s}, step ${q}`).to.equal(value);
        expect(Math.abs(decode(sent[law](s, q) ^ 0x80))).to.equal(value);
      }
    });

    it('encodes each value of the table to its own code', () => {
      const same = (code: number) => decode(encode(decode(code))) === decode(code);
      expect(codes.filter((code) => !same(code))).to.deep.equal([]);
    });

    it('encodes every sample to a value of its segment’s precision', () => {
      let worst = 0;
      for (let sample = -32_768; sample <= 32_767; sample++) {
        const step = Math.max(16, 2 ** Math.floor(Math.log2(Math.abs(sample) + 132)) / 16);
        worst = Math.max(worst, Math.abs(decode(encode(sample)) - sample) / step);
      }
      expect(worst).to.be.at.most(1);
    });

    it('sends the usual byte for silence', () => {
      expect(encode(0)).to.equal(law === 'g711_ulaw' ? 0xff : 0xd5);
    });
  });
