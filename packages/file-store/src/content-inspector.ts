import { fileLimits, type FileMediaType } from '@parley/protocol';
import { beginning, encodingOf, isJson } from './text.js';

/**
 * What the sender claims about a file. It only selects among the types of text, and is otherwise
 * not trusted.
 */
export type Claim = { readonly name: string; readonly mediaType: string };

/** Why a file is not accepted. */
export type Refusal = 'unsupported' | 'empty' | 'no-text' | 'not-json' | 'encrypted' | 'unreadable';

export type FoundText = { readonly text: string; readonly truncated: boolean };

export type Finding =
  | ({ readonly kind: 'text'; readonly mediaType: FileMediaType } & FoundText)
  /** Has to be examined completely, in a separate process. */
  | { readonly kind: 'examine'; readonly mediaType: 'application/pdf' | 'application/json' }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

const headBytes = 1024;

/**
 * Detects the type of a file while its bytes stream through. Keeps no more than the text that is
 * stored of a file.
 */
export class ContentInspector {
  readonly #claimed: FileMediaType | 'refused';
  #head: Buffer | undefined = Buffer.alloc(0);
  #pdf = false;
  #decoder: InstanceType<typeof TextDecoder> | undefined;
  #text = '';
  #truncated = false;

  constructor(claim: Claim) {
    this.#claimed = claimedType(claim);
  }

  /** Returns false as soon as the file is certain to be refused. */
  push(bytes: Buffer): boolean {
    if (this.#head === undefined) return this.#pdf || this.#read(bytes, true);
    this.#head = Buffer.concat([this.#head, bytes]);
    return this.#head.length < headBytes || this.#open();
  }

  end(): Finding {
    if (this.#head?.length === 0) return { kind: 'refused', refusal: 'empty' };
    if (this.#head !== undefined && !this.#open()) return unsupported;
    if (this.#pdf) return { kind: 'examine', mediaType: 'application/pdf' };
    if (!this.#read(Buffer.alloc(0), false)) return unsupported;
    const [text, mediaType] = [this.#text, this.#claimed];
    if (text.trim() === '') return { kind: 'refused', refusal: 'no-text' };
    if (mediaType === 'refused' || mediaType === 'application/pdf') return unsupported;
    if (mediaType !== 'application/json')
      return { kind: 'text', mediaType, text, truncated: this.#truncated };
    if (this.#truncated) return { kind: 'examine', mediaType };
    if (!isJson(text)) return { kind: 'refused', refusal: 'not-json' };
    return { kind: 'text', mediaType, text, truncated: false };
  }

  /** Judges the first bytes. */
  #open(): boolean {
    const head = this.#head ?? Buffer.alloc(0);
    this.#head = undefined;
    this.#pdf = head.toString('latin1', 0, 5) === '%PDF-';
    if (this.#pdf) return true;
    if (this.#claimed === 'refused' || this.#claimed === 'application/pdf') return false;
    this.#decoder = new TextDecoder(encodingOf(head), { fatal: true });
    return this.#read(head, true) && !opensAsMarkup(this.#text.slice(0, headBytes));
  }

  #read(bytes: Buffer, stream: boolean): boolean {
    let text: string;
    try {
      text = this.#decoder?.decode(bytes, { stream }) ?? '';
    } catch {
      return false;
    }
    if (text.includes('\0')) return false;
    if (this.#truncated) return true;
    const kept = beginning(this.#text + text, fileLimits.textLength);
    this.#truncated = kept.length < this.#text.length + text.length;
    this.#text = kept;
    return true;
  }
}

const unsupported = { kind: 'refused', refusal: 'unsupported' } as const;

const blanks = /\s*/y;
const runs = /<(?:!doctype\s+html|html|head|body|script|style|svg|iframe|\?xml)\b/iy;

/**
 * Documents that a browser would execute, after any number of comments; Markdown may start with
 * other tags.
 */
function opensAsMarkup(text: string): boolean {
  let at = endOf(blanks, text, 0);
  while (text.startsWith('<!--', at)) {
    // The dashes may be both ends of a comment: <!--> is a complete one.
    const end = text.indexOf('-->', at + 2);
    if (end < 0) return false;
    at = endOf(blanks, text, end + 3);
  }
  return endOf(runs, text, at) > 0;
}

/** Where a sticky expression that matches at `start` ends; 0 if it does not match. */
function endOf(expression: RegExp, text: string, start: number): number {
  expression.lastIndex = start;
  return expression.test(text) ? expression.lastIndex : 0;
}

const byExtension: Readonly<Record<string, FileMediaType | 'refused'>> = {
  md: 'text/markdown',
  markdown: 'text/markdown',
  csv: 'text/csv',
  json: 'application/json',
  pdf: 'application/pdf',
  txt: 'text/plain',
  html: 'refused',
  htm: 'refused',
  xhtml: 'refused',
  svg: 'refused',
  xml: 'refused',
};

const byMediaType: Readonly<Record<string, FileMediaType | 'refused'>> = {
  'text/markdown': 'text/markdown',
  'text/csv': 'text/csv',
  'application/json': 'application/json',
  'application/pdf': 'application/pdf',
  'text/html': 'refused',
  'application/xhtml+xml': 'refused',
  'image/svg+xml': 'refused',
};

function claimedType({ name, mediaType }: Claim): FileMediaType | 'refused' {
  const extension = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  if (Object.hasOwn(byExtension, extension)) return byExtension[extension] ?? 'text/plain';
  const type = mediaType.toLowerCase();
  return Object.hasOwn(byMediaType, type) ? (byMediaType[type] ?? 'text/plain') : 'text/plain';
}
