import { expect } from 'chai';
import fc from 'fast-check';
import { fuzz } from '@parley/testkit';
import { PhraseSearch } from '#src/phrase-search.js';

const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 80 });
const phrases = (maxLength: number) =>
  fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength }), {
    maxLength: 6,
  });

describe('a search for phrases', () => {
  it('finds every occurrence of short phrases, and nothing else', () => {
    fc.assert(
      fc.property(phrases(7), text, (given, searched) => {
        const found = new PhraseSearch(given, 4).find(searched);
        expect(marked(searched, found)).to.equal(marked(searched, occurrences(given, searched)));
      }),
      fuzz(2000),
    );
  });

  it('finds every occurrence of long phrases, and what starts like one', () => {
    fc.assert(
      fc.property(phrases(24), text, (given, searched) => {
        const block = 4;
        const found = new PhraseSearch(given, block).find(searched);
        for (const whole of occurrences(given, searched))
          expect(found.some(({ from, to }) => from <= whole.from && whole.to <= to)).to.equal(true);
        const starts = given.map((phrase) => phrase.slice(0, block));
        const beginnings = occurrences(starts, searched).map(({ from }) => from);
        expect(beginnings).to.include.members(found.map(({ from }) => from));
      }),
      fuzz(2000),
    );
  });

  it('keeps neighbours apart, and joins what overlaps, in order', () => {
    const search = new PhraseSearch(['abc', 'cd', 'xabcdx']);
    expect(search.find('abcabc.abcd')).to.deep.equal([
      { from: 0, to: 3 },
      { from: 3, to: 6 },
      { from: 7, to: 11 },
    ]);
    expect(search.find('xabcdx')).to.deep.equal([{ from: 0, to: 6 }]);
  });

  it('finishes with a text in which every position may be the start of a long phrase', () => {
    const long = 8192;
    const given = Array.from({ length: 32 }, (_, n) => `${'a'.repeat(n + 200)}b`.padEnd(long, 'a'));
    const search = new PhraseSearch([...given, 'a'.repeat(long)]);
    const size = 1024 * 1024;
    expect(search.find('a'.repeat(size))).to.deep.equal([{ from: 0, to: size }]);
    expect(new PhraseSearch(given).find('b'.repeat(size))).to.deep.equal([]);
  });
});

type Span = ReturnType<PhraseSearch['find']>[number];

function occurrences(phrases: readonly string[], text: string): Span[] {
  return phrases.flatMap((phrase) =>
    Array.from(text, (_, from) => ({ from, to: from + phrase.length })).filter(({ from }) =>
      text.startsWith(phrase, from),
    ),
  );
}

function marked(text: string, spans: readonly Span[]): string {
  return Array.from(text, (_, n) =>
    spans.some(({ from, to }) => from <= n && n < to) ? '#' : '.',
  ).join('');
}
