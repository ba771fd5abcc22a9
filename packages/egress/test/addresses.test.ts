import { expect } from 'chai';
import fc from 'fast-check';
import { fuzz } from '@parley/testkit';
import { inRange, parseAddress, parseRange } from '#src/address.js';
import { parseEgressEntry } from '#src/allow-list.js';
import { createEgress, EgressRefused } from '#src/index.js';

/** What is not public of IPv4, written down once more: first address and bits. */
const special: readonly (readonly [number, number])[] = [
  [0x00000000, 8],
  [0x0a000000, 8],
  [0x64400000, 10],
  [0x7f000000, 8],
  [0xa9fe0000, 16],
  [0xac100000, 12],
  [0xc0000000, 24],
  [0xc0000200, 24],
  [0xc01fc400, 24],
  [0xc034c100, 24],
  [0xc0586300, 24],
  [0xc0a80000, 16],
  [0xc0af3000, 24],
  [0xc6120000, 15],
  [0xc6336400, 24],
  [0xcb007100, 24],
  [0xe0000000, 4],
  [0xf0000000, 4],
  // Of clouds.
  [0xa83f8110, 32],
  [0xa11a0000, 16],
  [0xa6080000, 14],
];
const isSpecial = (address: number) =>
  special.some(([base, bits]) => address >>> (32 - bits) === base >>> (32 - bits));

/** Anywhere, and next to each border. */
const anyIPv4 = fc.oneof(
  fc.nat(0xffffffff),
  fc
    .tuple(fc.constantFrom(...special), fc.integer({ min: -2, max: 2 }), fc.boolean())
    .map(([[base, bits], off, end]) => (base + (end ? 2 ** (32 - bits) : 0) + off) >>> 0),
);

const bytesOf = (address: number) => [24, 16, 8, 0].map((bits) => (address >>> bits) & 255);
const dotted = (address: number) => bytesOf(address).join('.');
const hex = (address: number, bits: number) => ((address >>> bits) & 0xffff).toString(16);
const groups = (address: number) => `${hex(address, 16)}:${hex(address, 0)}`;
const digits = (value: number, base: number) =>
  base === 16 ? `0x${value.toString(16)}` : base === 8 ? `0${value.toString(8)}` : String(value);

/** All the ways in which a URL may write an IPv4 address. */
const notations: readonly ((address: number, bases: readonly number[]) => string)[] = [
  dotted,
  (address) => `${dotted(address)}.`,
  (address, [base = 10]) => digits(address, base),
  (address, bases) =>
    bytesOf(address)
      .map((byte, n) => digits(byte, bases[n] ?? 10))
      .join('.'),
  (address, [a = 10, b = 10]) => `${digits(address >>> 24, a)}.${digits(address & 0xffffff, b)}`,
  (address) => `[::ffff:${dotted(address)}]`,
  (address) => `[::FFFF:${groups(address).toUpperCase()}]`,
  (address) => `[0:0:0:0:0:ffff:${groups(address)}]`,
  (address) => `[64:ff9b::${groups(address)}]`,
  (address) => `[64:ff9b::${dotted(address)}]`,
];
const anyBases = fc.array(fc.constantFrom(8, 10, 16), { minLength: 4, maxLength: 4 });

const passes = (url: string, allow: string[] = []) => {
  try {
    createEgress(allow).check(url);
    return true;
  } catch (error) {
    if (error instanceof EgressRefused) return false;
    throw error;
  }
};

describe('any address', () => {
  it('of IPv4 is judged the same in every notation, and passes only if it is public', () => {
    fc.assert(
      fc.property(anyIPv4, fc.constantFrom(...notations), anyBases, (address, notation, bases) => {
        expect(passes(`http://${notation(address, bases)}/`)).to.equal(!isSpecial(address));
      }),
      fuzz(2000),
    );
  });

  it('of IPv6 passes only if it is globally routed', () => {
    const group = fc.oneof(fc.nat(0xffff), fc.constantFrom(0, 0x2001, 0x2002, 0xfe80, 0xfc00));
    const written = fc.array(group, { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(written, fc.boolean(), (parts, upper) => {
        const text = parts.map((part) => part.toString(16)).join(':');
        const passed = passes(`http://[${upper ? text.toUpperCase() : text}]/`);
        const [first = 0, second = 0] = parts;
        if (first >>> 13 !== 1 || first === 0x2002 || (first === 0x2001 && second === 0))
          expect(passed, text).to.equal(isEmbedded(parts) && !isSpecial(lastOf(parts)));
        // One more way to write it changes nothing.
        expect(passes(`http://${new URL(`http://[${text}]/`).hostname}/`)).to.equal(passed);
      }),
      fuzz(1000),
    );
  });

  it('that is resolved counts as it does in a URL', () => {
    fc.assert(
      fc.property(anyIPv4, (address) => {
        for (const text of [
          dotted(address),
          `::ffff:${dotted(address)}`,
          `::ffff:${groups(address)}`,
        ]) {
          const parsed = parseAddress(text);
          expect(parsed?.toString(), text).to.equal(dotted(address));
        }
      }),
      fuzz(500),
    );
  });

  it('is in a range if its first bits are those of the range', () => {
    fc.assert(
      fc.property(anyIPv4, anyIPv4, fc.integer({ min: 1, max: 32 }), (address, base, bits) => {
        const expected = address >>> (32 - bits) === base >>> (32 - bits);
        const range = parseRange(`${dotted(base)}/${bits}`)!;
        expect(inRange(parseAddress(dotted(address))!, range)).to.equal(expected);
        expect(passes(`http://${dotted(address)}:9/`, [`${dotted(base)}/${bits}`])).to.equal(
          expected,
        );
      }),
      fuzz(500),
    );
  });
});

describe('anything else', () => {
  const mark = fc.constantFrom(
    ...Array.from('.:/[]@%#?\\\0 \t-0x7f１。'),
    '127',
    'localhost',
    '::',
    'ffff',
    'http://',
  );
  const anyText = fc.oneof(
    fc.array(mark, { maxLength: 12 }).map((marks) => marks.join('')),
    fc.string({ unit: 'binary', maxLength: 40 }),
  );

  it('as a URL is refused in plain words, or leads to a public host', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const url of [text, `http://${text}`, `https://${text}/x`])
          expect(passes(url) && !isPublic(new URL(url).hostname), url).to.equal(false);
      }),
      fuzz(1000),
    );
  });

  it('in the list of what is allowed is an entry or none, and no entry allows more than it names', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const entry = parseEgressEntry(text);
        const attempt = () => passes('http://10.1.2.3:9/', [text]);
        if (entry === undefined) expect(attempt).to.throw(RangeError);
        else
          expect(attempt()).to.equal(
            entry.kind === 'range' &&
              inRange(parseAddress('10.1.2.3')!, entry.range) &&
              [null, 9].includes(entry.port),
          );
      }),
      fuzz(1000),
    );
  });
});

function isPublic(hostname: string): boolean {
  const address = parseAddress(hostname);
  return address ? address.range() === 'unicast' : hostname.includes('.');
}

/** Mapped, or behind a NAT64 gateway. */
function isEmbedded(parts: readonly number[]): boolean {
  const head = parts.slice(0, 6).join();
  return head === '0,0,0,0,0,65535' || head === '100,65435,0,0,0,0';
}

function lastOf(parts: readonly number[]): number {
  return ((parts[6] ?? 0) * 65_536 + (parts[7] ?? 0)) >>> 0;
}
