import { setTimeout as delay } from 'node:timers/promises';
import pTimeout from 'p-timeout';

/** Stored, given up, or obsolete because its place in the record is gone. */
export type Outcome = 'stored' | 'failed' | 'gone';

export type JournalLimits = {
  /**
   * Changes beyond this number, or this amount of text, are given up instead of waiting for the
   * database.
   */
  readonly maxWaiting: number;
  readonly maxWaitingCharacters: number;
  /** The same for one session or question, so that it cannot use up the capacity of all. */
  readonly maxHeld: number;
  readonly maxHeldCharacters: number;
  readonly maxBatch: number;
  /** Concurrent transactions. The rest of the pool is left to admission. */
  readonly maxWriters: number;
  readonly firstRetryMs: number;
  readonly lastRetryMs: number;
  /** How long closing waits for the database, from drainBudget. */
  readonly closeMs: number;
};

export const journalLimits: JournalLimits = {
  maxWaiting: 100_000,
  maxWaitingCharacters: 32 * 1024 * 1024,
  maxHeld: 1000,
  maxHeldCharacters: 4 * 1024 * 1024,
  maxBatch: 100,
  maxWriters: 3,
  firstRetryMs: 100,
  lastRetryMs: 5000,
  closeMs: 5000,
};

export type JournalOptions<Change> = {
  /**
   * Writes all changes except those whose place in the record is gone, and returns the latter; or
   * writes none, and rejects. Must succeed for changes that are already written.
   */
  readonly write: (lane: string, changes: readonly Change[]) => Promise<ReadonlySet<Change>>;
  /** Whether retrying the same changes later may succeed. */
  readonly isPassing: (error: unknown) => boolean;
  readonly onRetry: (error: unknown, waiting: number) => void;
  readonly onRefused: (error: unknown, change: Change) => void;
  /** Called if closing gives changes up, with their number. */
  readonly onGivenUp: (changes: number) => void;
  readonly limits?: Partial<JournalLimits>;
};

export type Entry<Change> = {
  readonly lane: string;
  /** The owner of the change within its lane. */
  readonly holder: string;
  readonly change: Change;
  readonly characters: number;
  readonly onSettled: (outcome: Outcome) => void;
};

type Waiting<Change> = Entry<Change> & {
  /** Called when the change is settled, or when the database is found to be down. */
  readonly watchers: (() => void)[];
};

type Lane<Change> = {
  readonly name: string;
  readonly entries: Waiting<Change>[];
  /** How often in a row the database was down. */
  failures: number;
  /** How many of the next changes are written one by one. */
  singly: number;
};

/** The amount of waiting work. */
type Load = { readonly changes: number; readonly characters: number };
const nothing: Load = { changes: 0, characters: 0 };

type Attempt<Change> = { readonly gone: ReadonlySet<Change> } | { readonly error: unknown };

/**
 * Accepts changes immediately and writes them in the background: what gathers during one
 * transaction forms the next. Changes of one lane are written, and their outcomes reported, in
 * order. While the database is down, they wait, within limits; a change that it permanently refuses
 * is given up alone.
 */
export class Journal<Change> {
  readonly #options: JournalOptions<Change>;
  readonly #limits: JournalLimits;
  readonly #lanes = new Map<string, Lane<Change>>();
  readonly #ready: Lane<Change>[] = [];
  readonly #closing = new AbortController();
  readonly #held = new Map<string, Load>();
  #all = nothing;
  #writers = 0;
  #onEmpty: (() => void) | undefined;

  constructor(options: JournalOptions<Change>) {
    this.#options = options;
    this.#limits = { ...journalLimits, ...options.limits };
  }

  get waiting(): number {
    return this.#all.changes;
  }

  add(entry: Entry<Change>): void {
    if (this.#isFull(entry) || this.#closing.signal.aborted) {
      entry.onSettled('failed');
      return;
    }
    this.#weigh(entry, 1);
    const waiting = { ...entry, watchers: [] };
    const lane = this.#lanes.get(entry.lane);
    if (lane) {
      lane.entries.push(waiting);
      return;
    }
    const fresh = { name: entry.lane, entries: [waiting], failures: 0, singly: 0 };
    this.#lanes.set(entry.lane, fresh);
    this.#enqueue(fresh);
  }

  /** Resolves when everything added to the lane before is settled, or the database is down. */
  caughtUp(laneName: string): Promise<void> {
    const lane = this.#lanes.get(laneName);
    const last = lane?.failures === 0 ? lane.entries.at(-1) : undefined;
    return last ? new Promise((resolve) => last.watchers.push(resolve)) : Promise.resolve();
  }

  /**
   * Resolves when everything is settled. Changes that the database does not accept in time are
   * given up.
   */
  async close(): Promise<void> {
    if (this.waiting > 0) {
      const empty = new Promise<void>((resolve) => (this.#onEmpty = resolve));
      await pTimeout(empty, { milliseconds: this.#limits.closeMs, message: false });
    }
    this.#closing.abort();
    if (this.waiting > 0) this.#options.onGivenUp(this.waiting);
    for (const lane of this.#lanes.values())
      this.#settle(lane, lane.entries.length, () => 'failed');
    this.#lanes.clear();
  }

  #enqueue(lane: Lane<Change>): void {
    this.#ready.push(lane);
    this.#pump();
  }

  #pump(): void {
    while (this.#writers < this.#limits.maxWriters) {
      const lane = this.#ready.shift();
      if (!lane) return;
      this.#writers += 1;
      void this.#write(lane).then(() => {
        this.#writers -= 1;
        this.#pump();
      });
    }
  }

  async #write(lane: Lane<Change>): Promise<void> {
    const batch = lane.entries.slice(0, lane.singly > 0 ? 1 : this.#limits.maxBatch);
    const attempt = await this.#attempt(lane, batch);
    if (this.#closing.signal.aborted) return;
    if ('error' in attempt && this.#options.isPassing(attempt.error)) {
      this.#options.onRetry(attempt.error, this.waiting);
      void this.#retryLater(lane);
      return;
    }
    lane.failures = 0;
    // One of them caused the error; the others are not given up with it.
    if ('error' in attempt && batch.length > 1) lane.singly = batch.length;
    else this.#settleBatch(lane, batch, attempt);
    if (lane.entries.length > 0) this.#enqueue(lane);
    else this.#lanes.delete(lane.name);
  }

  async #attempt(lane: Lane<Change>, batch: readonly Entry<Change>[]): Promise<Attempt<Change>> {
    try {
      const changes = batch.map(({ change }) => change);
      return { gone: await this.#options.write(lane.name, changes) };
    } catch (error) {
      return { error };
    }
  }

  #settleBatch(
    lane: Lane<Change>,
    batch: readonly Entry<Change>[],
    attempt: Attempt<Change>,
  ): void {
    lane.singly = Math.max(0, lane.singly - batch.length);
    this.#settle(lane, batch.length, (change) => {
      if ('gone' in attempt) return attempt.gone.has(change) ? 'gone' : 'stored';
      this.#options.onRefused(attempt.error, change);
      return 'failed';
    });
  }

  #settle(lane: Lane<Change>, count: number, outcomeOf: (change: Change) => Outcome): void {
    for (const entry of lane.entries.splice(0, count)) {
      this.#weigh(entry, -1);
      entry.onSettled(outcomeOf(entry.change));
      for (const watcher of entry.watchers) watcher();
    }
    if (this.waiting === 0) this.#onEmpty?.();
  }

  #isFull({ holder, characters }: Entry<Change>): boolean {
    const { maxWaiting, maxWaitingCharacters, maxHeld, maxHeldCharacters } = this.#limits;
    const held = this.#held.get(holder) ?? nothing;
    return (
      this.#all.changes >= maxWaiting ||
      this.#all.characters + characters > maxWaitingCharacters ||
      held.changes >= maxHeld ||
      held.characters + characters > maxHeldCharacters
    );
  }

  #weigh({ holder, characters }: Entry<Change>, sign: 1 | -1): void {
    const weighed = (load: Load): Load => ({
      changes: load.changes + sign,
      characters: load.characters + sign * characters,
    });
    this.#all = weighed(this.#all);
    const held = weighed(this.#held.get(holder) ?? nothing);
    if (held.changes > 0) this.#held.set(holder, held);
    else this.#held.delete(holder);
  }

  async #retryLater(lane: Lane<Change>): Promise<void> {
    const { firstRetryMs, lastRetryMs } = this.#limits;
    const longest = Math.min(lastRetryMs, firstRetryMs * 2 ** lane.failures);
    lane.failures += 1;
    for (const { watchers } of lane.entries) for (const watcher of watchers.splice(0)) watcher();
    const { signal } = this.#closing;
    await delay(longest * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) this.#enqueue(lane);
  }
}
