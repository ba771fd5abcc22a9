import { ParleyConnectionError } from './errors.js';

/** Longer than anything the service sends; a stream without line breaks fails here. */
export const maxLineLength = 16 * 1024 * 1024;

/** Splits text that arrives in pieces into lines, with any kind of line break. */
export class LineSplitter {
  readonly #maxLength: number;
  #rest = '';
  /** The last piece ended with CR, so an LF may follow. */
  #afterReturn = false;

  constructor(maxLength = maxLineLength) {
    this.#maxLength = maxLength;
  }

  /** The text after the last line break. */
  get rest(): string {
    return this.#rest;
  }

  /** The lines that `piece` completes, without their line breaks. */
  push(piece: string): string[] {
    if (piece === '') return [];
    const text = this.#afterReturn && piece.startsWith('\n') ? piece.slice(1) : piece;
    this.#afterReturn = piece.endsWith('\r');
    const lines = text.split(/\r\n|\r|\n/);
    lines[0] = this.#rest + (lines[0] ?? '');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > this.#maxLength) throw tooLong();
    return lines;
  }
}

export function tooLong(): ParleyConnectionError {
  return new ParleyConnectionError('unreadable', 'The service sent a line that is too long.');
}
