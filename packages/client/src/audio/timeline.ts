import type { Heard } from '../session/player.js';
import { UNITS_PER_SECOND, type Report } from './playout.js';

type Part = {
  readonly itemId: string;
  readonly contentIndex: number;
  readonly start: number;
  end: number;
};

/**
 * Maps a frame of the context to the item that is heard at it, based on the chunks sent to the
 * worklet and its reports.
 */
export class Timeline {
  run = 0;
  readonly #rate: number;
  #parts: Part[] = [];
  #reports: Report[] = [];

  constructor(rate: number) {
    this.#rate = rate;
  }

  /** Records that `units` more of an item were sent to the worklet. */
  add({ itemId, contentIndex }: Pick<Part, 'itemId' | 'contentIndex'>, units: number): void {
    const last = this.#parts.at(-1);
    if (last?.itemId === itemId && last.contentIndex === contentIndex) last.end += units;
    else {
      const start = last?.end ?? 0;
      this.#parts.push({ itemId, contentIndex, start, end: start + units });
    }
  }

  report(report: Report): void {
    if (report.run === this.run) this.#reports.push(report);
  }

  /** Null if everything was heard. */
  heard(frame: number): Heard | null {
    const last = this.#reports.filter((report) => report.frame <= frame).at(-1);
    const moved = last?.playing ? (frame - last.frame) / this.#rate : 0;
    const position = (last?.position ?? 0) + moved * UNITS_PER_SECOND;
    const part = this.#parts.find(({ end }) => end > position);
    if (part === undefined) return null;
    const ms = Math.floor(((position - part.start) * 1000) / UNITS_PER_SECOND);
    return { itemId: part.itemId, contentIndex: part.contentIndex, ms };
  }

  /** Starts a new run. */
  clear(): void {
    this.run++;
    this.#parts = [];
    this.#reports = [];
  }
}
