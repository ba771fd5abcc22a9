import { getDocumentProxy } from 'unpdf';
import { storable } from '@parley/protocol';
import { beginning } from '../text.js';
import { refused, type Examined } from './examined.js';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

/** The text of a PDF, page by page, until there is enough. */
export async function pdfText(bytes: Uint8Array, maxLength: number): Promise<Examined> {
  try {
    const document = await getDocumentProxy(bytes, { isEvalSupported: false, verbosity: 0 });
    return await textOf(document, maxLength);
  } catch (error) {
    const locked = error instanceof Error && error.name === 'PasswordException';
    return refused(locked ? 'encrypted' : 'unreadable');
  }
}

async function textOf(document: PdfDocument, maxLength: number): Promise<Examined> {
  let text = '';
  let n = 1;
  for (; n <= document.numPages && text.length <= maxLength; n += 1) {
    const page = await document.getPage(n);
    const { items } = await page.getTextContent();
    for (const item of items) if ('str' in item) text += item.str + (item.hasEOL ? '\n' : '');
    text += '\n\n';
    page.cleanup();
  }
  const clean = storable(text).trim();
  if (clean === '') return refused('no-text');
  const truncated = n <= document.numPages || clean.length > maxLength;
  return { kind: 'text', text: beginning(clean, maxLength), truncated };
}
