import { expect } from 'chai';
import fc from 'fast-check';
import { LineSplitter } from '#src/server/lines.js';
import { EventParser } from '#src/server/server-sent-events.js';

/** The text, cut at these places. */
function cut(text: string, places: readonly number[]): string[] {
  const at = [0, ...places.map((place) => place % (text.length + 1)), text.length];
  at.sort((a, b) => a - b);
  return at.slice(1).map((end, index) => text.slice(at[index], end));
}

describe('lines', () => {
  it('are the same however the text is cut, and whichever way they end', () => {
    const line = fc.stringMatching(/^[a-c ]{0,5}$/);
    const end = fc.constantFrom('\n', '\r\n', '\r');
    fc.assert(
      fc.property(fc.array(fc.tuple(line, end)), fc.array(fc.nat()), (lines, places) => {
        // CR, then an empty line that ends in LF, is CRLF.
        const text = lines.map(([words, ending]) => `x${words}${ending}`).join('');
        const splitter = new LineSplitter();
        const found = cut(text, places).flatMap((piece) => splitter.push(piece));
        expect(found).to.deep.equal(lines.map(([words]) => `x${words}`));
        expect(splitter.rest).to.equal('');
      }),
    );
  });

  it('that have no end are refused before they fill the memory', () => {
    const splitter = new LineSplitter(10);
    splitter.push('12345');
    expect(() => splitter.push('678901'))
      .to.throw()
      .with.property('reason', 'unreadable');
  });
});

describe('server-sent events', () => {
  const read = (text: string, places: readonly number[] = []) => {
    const parser = new EventParser();
    return cut(text, places).flatMap((piece) => parser.push(piece));
  };

  it('are read whole however they are cut', () => {
    const text = ': hello\n\nevent: a\ndata: {"n": 1}\n\nid: 7\ndata: {"n":\ndata: 2}\r\n\r\n';
    fc.assert(
      fc.property(fc.array(fc.nat()), (places) => {
        expect(read(text, places)).to.deep.equal(['{"n": 1}', '{"n":\n2}']);
      }),
    );
  });

  for (const [what, text] of [
    ['comments', ': keep-alive\n\n:\n\n'],
    ['events without data', 'event: a\nretry: 10\n\n'],
    ['an event that is not complete', 'data: 1\n'],
    ['fields that look alike', 'dataset: 1\n data: 1\n\n'],
  ] as const)
    it(`leave out ${what}`, () => {
      expect(read(text)).to.deep.equal([]);
    });

  it('lose one blank after the colon, and only one', () => {
    expect(read('data:1\n\ndata: 2\n\ndata:  3\n\n')).to.deep.equal(['1', '2', ' 3']);
  });

  it('that never end are refused before they fill the memory', () => {
    const parser = new EventParser(10);
    parser.push('data: 12345\n');
    expect(() => parser.push('data: 678901\n'))
      .to.throw()
      .with.property('reason', 'unreadable');
  });
});
