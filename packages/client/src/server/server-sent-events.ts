import { LineSplitter, maxLineLength, tooLong } from './lines.js';

/** The content between two empty lines: an event, or only an id. */
export type SentBlock = {
  /** The most recent one. */
  readonly id: string | undefined;
  readonly data: string | undefined;
};

/** Parses server-sent events from pieces of text. */
export class EventParser {
  readonly #lines: LineSplitter;
  readonly #maxLength: number;
  #data: string[] = [];
  #length = 0;
  #id: string | undefined;

  constructor(maxLength = maxLineLength) {
    this.#maxLength = maxLength;
    this.#lines = new LineSplitter(maxLength);
  }

  /** The data of the events that `piece` completes. */
  push(piece: string): string[] {
    return this.pushBlocks(piece).flatMap(({ data }) => data ?? []);
  }

  /** The same, with their ids, and with ids that have no event. */
  pushBlocks(piece: string): SentBlock[] {
    const complete: SentBlock[] = [];
    for (const line of this.#lines.push(piece))
      if (line !== '') this.#take(line);
      else complete.push({ id: this.#id, data: this.#flush() });
    return complete;
  }

  /** The event's name is also in its data; comments only keep the connection alive. */
  #take(line: string): void {
    const [, name, value = ''] = /^(data|id)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'id') this.#id = value;
    if (name !== 'data') return;
    this.#length += value.length;
    if (this.#length > this.#maxLength) throw tooLong();
    this.#data.push(value);
  }

  #flush(): string | undefined {
    const data = this.#data.length > 0 ? this.#data.join('\n') : undefined;
    this.#data = [];
    this.#length = 0;
    return data;
  }
}
