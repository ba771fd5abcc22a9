import { LineSplitter, maxLineLength, tooLong } from './lines.js';

/** Reads server-sent events as they come: of each, what `data` says. */
export class EventParser {
  readonly #lines: LineSplitter;
  readonly #maxLength: number;
  #data: string[] = [];
  #length = 0;

  constructor(maxLength = maxLineLength) {
    this.#maxLength = maxLength;
    this.#lines = new LineSplitter(maxLength);
  }

  /** The data of the events that `piece` completes. */
  push(piece: string): string[] {
    const complete: string[] = [];
    for (const line of this.#lines.push(piece))
      if (line !== '') this.#take(line);
      else if (this.#data.length > 0) complete.push(this.#flush());
    return complete;
  }

  /** The event's name is in its data, too; comments keep the connection alive. */
  #take(line: string): void {
    if (line !== 'data' && !line.startsWith('data:')) return;
    const data = line.slice('data:'.length).replace(/^ /, '');
    this.#length += data.length;
    if (this.#length > this.#maxLength) throw tooLong();
    this.#data.push(data);
  }

  #flush(): string {
    const data = this.#data.join('\n');
    this.#data = [];
    this.#length = 0;
    return data;
  }
}
