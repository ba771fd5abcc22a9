import { ParleyConnectionError } from './errors.js';

/** Longer than anything that the service sends; a stream without line breaks ends here. */
export const maxLineLength = 16 * 1024 * 1024;

/** Cuts a text that comes in pieces into lines, whichever way they end. */
export class LineSplitter {
  readonly #maxLength: number;
  #rest = '';
  /** The last piece ended between CR and LF, perhaps. */
  #afterReturn = false;

  constructor(maxLength = maxLineLength) {
    this.#maxLength = maxLength;
  }

  /** What was not ended by a line break. */
  get rest(): string {
    return this.#rest;
  }

  /** The lines that `piece` ends, without their ends. */
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
  return new ParleyConnectionError('unreadable', 'The service sent a line without an end.');
}
