import { Readable } from 'node:stream';
import { expect } from 'chai';
import { createExaminer, examinerLimits } from '#src/examination/examiner.js';
import { pdfText } from '#src/examination/pdf-text.js';
import { bomb, pageOf, pdfOf, stream, textPage } from './support/pdf.js';

const pdf = 'application/pdf';
/** A busy machine takes its time. */
const patience = { ...examinerLimits, timeoutMs: 100_000 };

describe('the examination of a file', () => {
  const examiner = createExaminer(patience);
  const organizationId = 'one';
  const examine = (content: Buffer, mediaType = pdf, by = examiner) =>
    by.examine({ organizationId, mediaType, open: () => Readable.from([content]) });
  const refused = (refusal: string) => ({ kind: 'refused', refusal });

  it('reads the text of a PDF', async () => {
    expect(await examine(textPage('Hello, world'))).to.deep.equal({
      kind: 'text',
      text: 'Hello, world',
      truncated: false,
    });
  });

  it('reads the pages in order and stops when it has enough', async () => {
    const page = (n: number) =>
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents ${n} 0 R/Resources<</Font<</F1 9 0 R>>>>>>`;
    const words = (text: string) => stream(Buffer.from(`BT /F1 12 Tf (${text}) Tj ET`));
    const bytes = pdfOf({
      1: '<</Type/Catalog/Pages 2 0 R>>',
      2: '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
      3: page(5),
      4: page(6),
      5: words('first'),
      6: words('second'),
      9: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    });
    expect(await pdfText(new Uint8Array(bytes), 100)).to.include({ text: 'first\n\nsecond' });
    expect(await pdfText(new Uint8Array(bytes), 6)).to.deep.equal({
      kind: 'text',
      text: 'first',
      truncated: true,
    });
  });

  const hostile: Record<string, [Buffer, string]> = {
    'garbage behind the magic bytes': [
      Buffer.from(`%PDF-1.7\n${'garbage '.repeat(999)}`),
      'unreadable',
    ],
    'a PDF that is cut off': [textPage('Hello').subarray(0, 120), 'unreadable'],
    'a PDF without text': [pageOf(stream(Buffer.from('0 0 m 9 9 l S'))), 'no-text'],
    'an encrypted PDF': [
      pageOf(
        stream(Buffer.from('x')),
        `/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/O<${'00'.repeat(32)}>/U<${'00'.repeat(32)}>/P -1>>`,
      ),
      'encrypted',
    ],
    'pages that contain themselves': [
      pdfOf({
        1: '<</Type/Catalog/Pages 2 0 R>>',
        2: '<</Type/Pages/Kids[2 0 R]/Count 1000000000>>',
      }),
      'unreadable',
    ],
    'arrays nested a million deep': [
      pageOf(stream(Buffer.from(`${'['.repeat(1_000_000)} TJ`))),
      'no-text',
    ],
  };
  for (const [what, [content, refusal]] of Object.entries(hostile))
    it(`refuses ${what}`, async () => {
      expect(await examine(content)).to.deep.equal(refused(refusal));
    });

  it('ends a PDF that unpacks to gigabytes before it takes the memory', async () => {
    const content = bomb();
    expect(content.length).to.be.lessThan(100_000);
    const maxResidentBytes = 256 * 1024 * 1024;
    const patient = createExaminer({ ...patience, maxResidentBytes });
    const before = process.memoryUsage.rss();
    expect(await examine(content, pdf, patient)).to.deep.equal(refused('unreadable'));
    expect(process.memoryUsage.rss() - before).to.be.lessThan(200 * 1024 * 1024);
  });

  it('ends what takes too long', async () => {
    const hasty = createExaminer({ ...examinerLimits, timeoutMs: 1 });
    const large = Buffer.alloc(16 * 1024 * 1024, ' ');
    expect(await examine(large, pdf, hasty)).to.deep.equal(refused('unreadable'));
  });

  it('parses JSON that is too large to be parsed elsewhere', async () => {
    const large = (end: string) => Buffer.from(`[${'"x",'.repeat(300_000)}${end}`);
    const good = await examine(large('1]'), 'application/json');
    expect(good).to.include({ kind: 'text', truncated: true });
    expect(good.kind === 'text' && good.text.length).to.equal(1_000_000);
    expect(await examine(large('1'), 'application/json')).to.deep.equal(refused('not-json'));
  });

  it('passes on that a file cannot be read', async () => {
    const broken = () =>
      new Readable({
        read() {
          this.destroy(new Error('storage is away'));
        },
      });
    const failure: unknown = await examiner
      .examine({ organizationId, mediaType: pdf, open: broken })
      .catch((error: unknown) => error);
    expect(failure).to.have.property('message', 'storage is away');
  });

  it('looks at a few files at a time, lets some wait and turns the others away', async () => {
    const small = createExaminer({ ...patience, maxRunning: 1, maxWaiting: 2 });
    const kinds = await Promise.all(
      Array.from({ length: 5 }, async () => (await examine(textPage('Hello'), pdf, small)).kind),
    );
    expect(kinds).to.deep.equal(['text', 'text', 'text', 'busy', 'busy']);
    expect(await examine(textPage('Hello'), pdf, small)).to.have.property('kind', 'text');
  });

  it('lets organizations take turns, however many files one of them has waiting', async () => {
    const small = createExaminer({ ...patience, maxRunning: 1, maxWaiting: 3 });
    const looked: string[] = [];
    const come = (who: string) =>
      small.examine({
        organizationId: who,
        mediaType: pdf,
        open: () => {
          looked.push(who);
          return Readable.from([textPage('Hello')]);
        },
      });
    const greedy = Array.from({ length: 6 }, () => come('one'));
    const other = await come('other');
    const kinds = (await Promise.all(greedy)).map(({ kind }) => kind);
    expect(other).to.have.property('kind', 'text');
    expect(kinds).to.deep.equal(['text', 'text', 'text', 'text', 'busy', 'busy']);
    expect(looked).to.deep.equal(['one', 'one', 'other', 'one', 'one']);
  });
});
