import { constants, deflateSync } from 'node:zlib';

type Objects = Record<number, string | Buffer>;

/** A PDF of the given objects; the first is its catalogue. */
export function pdfOf(objects: Objects, trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const offsets = new Map<number, number>();
  const length = () => parts.reduce((sum, part) => sum + part.length, 0);
  for (const [number, body] of Object.entries(objects)) {
    offsets.set(Number(number), length());
    parts.push(
      Buffer.from(`${number} 0 obj\n`),
      Buffer.from(body as Buffer),
      Buffer.from('\nendobj\n'),
    );
  }
  const start = length();
  const rows = [...offsets].map(([n, at]) => `${n} 1\n${String(at).padStart(10, '0')} 00000 n \n`);
  parts.push(
    Buffer.from(
      `xref\n0 1\n0000000000 65535 f \n${rows.join('')}trailer\n<</Size ${offsets.size + 1}/Root 1 0 R${trailer}>>\nstartxref\n${start}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

export function stream(data: Buffer, entries = ''): Buffer {
  const head = `<</Length ${data.length}${entries}>>\nstream\n`;
  return Buffer.concat([Buffer.from(head), data, Buffer.from('\nendstream')]);
}

/** One page with the given content stream. */
export function pageOf(content: Buffer, trailer = ''): Buffer {
  return pdfOf(
    {
      1: '<</Type/Catalog/Pages 2 0 R>>',
      2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
      4: content,
      5: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    },
    trailer,
  );
}

export function textPage(text: string): Buffer {
  return pageOf(stream(Buffer.from(`BT /F1 12 Tf 72 720 Td (${text}) Tj ET`)));
}

/** A few kilobytes that unpack to many gigabytes: two layers of compression around blanks. */
export function bomb(): Buffer {
  const blanks = Buffer.alloc(64 * 1024 * 1024, ' ');
  const block = deflateSync(blanks, { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const once = Buffer.concat([block.subarray(0, 2), ...Array<Buffer>(128).fill(block.subarray(2))]);
  const filters = '/Filter[/FlateDecode/FlateDecode]';
  return pageOf(stream(deflateSync(once, { level: 9 }), filters));
}
