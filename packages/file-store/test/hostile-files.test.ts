import { expect } from 'chai';
import fc from 'fast-check';
import { hasBadCharacter } from '@parley/protocol';
import { fuzz } from '@parley/testkit';
import { ContentInspector } from '#src/content-inspector.js';
import { examineJson } from '#src/examination/examine-json.js';
import type { Examined } from '#src/examination/examined.js';
import { pdfText } from '#src/examination/pdf-text.js';
import { pageOf, stream, textPage } from './support/pdf.js';

const maxLength = 50;

/** Whatever a file holds: a text that PostgreSQL takes and that is not too long, or a refusal. */
function expectVerdict(found: Examined): void {
  if (found.kind === 'refused') {
    expect(found.refusal).to.be.oneOf(['no-text', 'encrypted', 'unreadable', 'not-json']);
    return;
  }
  expect(found.text.length).to.be.within(1, maxLength);
  expect(hasBadCharacter(found.text)).to.equal(false);
}

describe('a hostile PDF', function () {
  const whole = textPage('Hello, world');
  const change = fc.record({
    at: fc.nat(whole.length - 1),
    remove: fc.nat(8),
    insert: fc.oneof(
      fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom(
          '0 R',
          '<<',
          '>>',
          '[',
          ']',
          'stream',
          'endobj',
          '1 0 R',
          '/Kids',
          '-1',
          '999999999',
          '(',
          ')',
          '/Length',
          'xref',
        )
        .map((text) => Buffer.from(text)),
    ),
  });

  it('that was damaged anywhere is read or refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        let bytes = whole;
        for (const { at, remove, insert } of changes)
          bytes = Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)]);
        expectVerdict(await pdfText(new Uint8Array(bytes), maxLength));
      }),
      fuzz(60),
    );
  });

  it('that shows any text in any operators is read or refused', async () => {
    const operator = fc.constantFrom(
      'BT',
      'ET',
      '/F1 12 Tf',
      'Tj',
      'TJ',
      'T*',
      'q',
      'Q',
      'cm',
      'Do',
      '[',
      ']',
      '-9e99',
      '0',
    );
    const string = fc
      .uint8Array({ maxLength: 8 })
      .map((bytes) => `<${Buffer.from(bytes).toString('hex')}>`);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(operator, string), { maxLength: 20 }), async (words) => {
        const page = pageOf(stream(Buffer.from(`BT /F1 12 Tf ${words.join(' ')} ET`)));
        expectVerdict(await pdfText(new Uint8Array(page), maxLength));
      }),
      fuzz(60),
    );
  });
});

describe('a hostile text', () => {
  const cell = fc.string({
    unit: fc.oneof(
      fc.constantFrom(...Array.from(',;"\r\n\t=+@-')),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
  });

  it('of a CSV file is kept as it is, whatever its cells hold', () => {
    fc.assert(
      fc.property(fc.array(fc.array(cell, { maxLength: 4 }), { maxLength: 6 }), (rows) => {
        const text = `name\n${rows.map((row) => row.join(',')).join('\n')}`;
        fc.pre(!hasBadCharacter(text));
        const inspector = new ContentInspector({ name: 'list.csv', mediaType: '' });
        for (const byte of Buffer.from(text))
          expect(inspector.push(Buffer.of(byte))).to.equal(true);
        expect(inspector.end()).to.deep.equal({
          kind: 'text',
          mediaType: 'text/csv',
          text,
          truncated: false,
        });
      }),
      fuzz(200),
    );
  });

  it('of a large JSON file is read or refused', () => {
    const bytes = fc.oneof(
      fc.json().map((text) => Buffer.from(text)),
      fc.json().map((text) => Buffer.from(`\uFEFF${text}`, 'utf16le')),
      fc.uint8Array({ maxLength: 40 }).map((each) => Buffer.from(each)),
    );
    fc.assert(
      fc.property(bytes, (content) => {
        const found = examineJson(content, maxLength);
        if (found.kind === 'text') expect(found.text.length).to.be.at.most(maxLength);
        else expect(found.refusal).to.equal('not-json');
      }),
      fuzz(200),
    );
  });
});
