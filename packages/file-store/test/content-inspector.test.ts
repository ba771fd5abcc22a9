import { expect } from 'chai';
import fc from 'fast-check';
import { fuzz } from '@parley/testkit';
import { ContentInspector, type Finding } from '#src/content-inspector.js';

type Look = { content: string | Buffer; name?: string; mediaType?: string; step?: number };

/** Pushes the content in small pieces, as a network might. */
function inspect({ content, name = 'x.txt', mediaType = '', step = 7 }: Look): Finding {
  const inspector = new ContentInspector({ name, mediaType });
  const bytes = Buffer.from(content as Buffer);
  for (let at = 0; at < bytes.length; at += step)
    if (!inspector.push(bytes.subarray(at, at + step)))
      return { kind: 'refused', refusal: 'unsupported' };
  return inspector.end();
}

describe('the inspection of a file', () => {
  it('finds the same whatever pieces it comes in', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 3000 }),
          fc.string({ unit: 'binary', maxLength: 2000 }),
        ),
        fc.integer({ min: 1, max: 2000 }),
        (content, step) => {
          const bytes = Buffer.from(content as string);
          const whole = inspect({ content: bytes, step: 1e6 });
          expect(inspect({ content: bytes, step })).to.deep.equal(whole);
        },
      ),
      fuzz(300),
    );
  });

  it('goes by the content, then by the name, then by what the sender says', () => {
    const types: [Look, string][] = [
      [{ content: 'a', name: 'a.md', mediaType: 'text/csv' }, 'text/markdown'],
      [{ content: 'a', name: 'a.bin', mediaType: 'text/csv' }, 'text/csv'],
      [{ content: 'a', name: 'constructor', mediaType: '__proto__' }, 'text/plain'],
      [{ content: '%PDF-1.4', name: 'a.txt', mediaType: 'text/plain' }, 'application/pdf'],
      [{ content: '[1]', name: 'a.JSON' }, 'application/json'],
      [{ content: `"${'x'.repeat(1_000_001)}"`, name: 'a.json', step: 99_999 }, 'application/json'],
    ];
    for (const [look, mediaType] of types)
      expect(inspect(look)).to.have.property('mediaType', mediaType);
  });

  it('leaves PDFs and large JSON to be examined', () => {
    expect(inspect({ content: '%PDF-' })).to.have.property('kind', 'examine');
    expect(
      inspect({ name: 'a.json', step: 1e5, content: `[${' '.repeat(1_000_000)}]` }),
    ).to.have.property('kind', 'examine');
  });

  it('reads UTF-16 by its byte order mark, and drops the mark', () => {
    const little = Buffer.from('\uFEFFgrüße', 'utf16le');
    expect(inspect({ content: little })).to.have.property('text', 'grüße');
    expect(inspect({ content: little.swap16() })).to.have.property('text', 'grüße');
    expect(inspect({ content: '\uFEFFgrüße' })).to.have.property('text', 'grüße');
  });

  it('keeps a bounded beginning of the text, without half a character at its end', () => {
    const finding = inspect({ content: `a${'👋'.repeat(600_000)}`, step: 65_536 });
    expect(finding).to.include({ kind: 'text', truncated: true });
    expect(finding.kind === 'text' && finding.text.length).to.equal(999_999);
    expect(finding.kind === 'text' && finding.text.endsWith('👋')).to.equal(true);
  });

  it('reads any number of comments once', () => {
    // Each comment doubles the work of whoever tries where else it may end.
    expect(inspect({ content: `${'<!---->'.repeat(34)}x`, name: 'notes.md' })).to.include({
      kind: 'text',
      mediaType: 'text/markdown',
    });
  });

  const refused: [Look, string][] = [
    [{ content: `${'<!---->\n'.repeat(100)}<html>`, name: 'a.md' }, 'unsupported'],
    [{ content: '<!--><html>', name: 'a.md' }, 'unsupported'],
    [{ content: '' }, 'empty'],
    [{ content: '\uFEFF \r\n' }, 'no-text'],
    [{ content: '{', name: 'a.json' }, 'not-json'],
    [{ content: 'text', name: 'a.pdf' }, 'unsupported'],
    [{ content: 'text', name: 'a', mediaType: 'text/html' }, 'unsupported'],
    [{ content: 'a\0b' }, 'unsupported'],
    [{ content: Buffer.from([0xff, 0xfe, 0x41]) }, 'unsupported'],
    [{ content: Buffer.from([0xff, 0xfe, 0x00, 0xd8]) }, 'unsupported'],
    [{ content: '<?xml version="1.0"?><svg/>' }, 'unsupported'],
    [{ content: '<SCRIPT>alert(1)</SCRIPT>', name: 'a.md' }, 'unsupported'],
  ];
  for (const [look, refusal] of refused)
    it(`refuses ${JSON.stringify(look.content.toString()).slice(0, 40)} as ${look.name ?? 'text'}`, () => {
      expect(inspect(look)).to.deep.equal({ kind: 'refused', refusal });
    });
});
