type Law = {
  /** Encodes a 16-bit sample. */
  readonly encode: (sample: number) => number;
  readonly decode: (code: number) => number;
};

/**
 * ITU-T G.711 for 16-bit samples: the exponent is the position of the highest bit, the mantissa the
 * four bits below it.
 */
export const g711 = {
  g711_ulaw: {
    encode: (sample) => {
      const magnitude = Math.min(Math.abs(sample), 32_635) + 132;
      return 0xff ^ (sample < 0 ? 0x80 : 0) ^ segment(magnitude);
    },
    decode: (code) => {
      const magnitude = ((((code & 15) ^ 15) * 8 + 132) << (7 - ((code >> 4) & 7))) - 132;
      return code & 0x80 ? magnitude : -magnitude;
    },
  },
  g711_alaw: {
    encode: (sample) => {
      const magnitude = sample < 0 ? ~sample : sample;
      return (sample < 0 ? 0x55 : 0xd5) ^ (magnitude < 256 ? magnitude >> 4 : segment(magnitude));
    },
    decode: (code) => {
      const bits = code ^ 0x55;
      const exponent = (bits >> 4) & 7;
      const mantissa = (bits & 15) * 16 + 8;
      const magnitude = exponent === 0 ? mantissa : (mantissa + 256) << (exponent - 1);
      return bits & 0x80 ? magnitude : -magnitude;
    },
  },
} as const satisfies Record<string, Law>;

function segment(magnitude: number): number {
  const exponent = 24 - Math.clz32(magnitude);
  return (exponent << 4) | ((magnitude >> (exponent + 3)) & 15);
}
