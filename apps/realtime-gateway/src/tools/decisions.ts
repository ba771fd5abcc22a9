import type { PendingCall } from '@parley/approvals';
import type { Actor } from '@parley/protocol';
import type { Approvals } from '@parley/session-store';

export type DecisionsOptions = {
  readonly approvals: Pick<Approvals, 'read' | 'decide' | 'expire'>;
  readonly record: DecisionRecord;
  readonly onError: (error: unknown) => void;
  /** How often everything that waits is read again: what was published meanwhile may be lost. */
  readonly rereadMs?: number;
};

/** PostgreSQL, where an approval is decided that Redis does not know any more. */
export type DecisionRecord = {
  /** Which of these still wait. */
  waitingAmong(ids: readonly string[]): Promise<readonly string[]>;
  /** False: it was decided before, or its time is over. */
  decide(call: PendingCall, decision: Verdict, by: Actor): Promise<boolean>;
};

export type Verdict = 'approved' | 'rejected';

/** The record may be away when it has to let an approval expire: it is asked again after this long. */
const recordMs = 1000;

type Watched = {
  readonly onDecided: () => void;
  readonly deadline: number;
  timer: NodeJS.Timeout | undefined;
};

/**
 * Waits for the decisions about this pod's calls. Redis decides, on its clock; a hint on the pod's channel, the deadline and a regular look
 * are three reasons to ask it. The regular look asks the record, too: a Redis that lost its data, or its last writes, knows nothing of what was
 * decided. Whoever watches is called back once, and asks for itself what the decision is.
 */
export class Decisions {
  readonly #options: DecisionsOptions;
  readonly #watched = new Map<string, Watched>();
  readonly #rereading: NodeJS.Timeout;
  /** A record that answers slowly is not asked twice at a time. */
  #readingRecord = false;

  constructor(options: DecisionsOptions) {
    this.#options = options;
    this.#rereading = setInterval(() => this.reread(), options.rereadMs ?? 5000);
  }

  get waiting(): number {
    return this.#watched.size;
  }

  watch({ id, deadline }: { id: string; deadline: Date }, onDecided: () => void): void {
    this.unwatch(id);
    this.#watched.set(id, { onDecided, deadline: deadline.getTime(), timer: undefined });
    this.look(id);
  }

  unwatch(id: string): void {
    clearTimeout(this.#watched.get(id)?.timer);
    this.#watched.delete(id);
  }

  reread(): void {
    for (const id of this.#watched.keys()) this.look(id);
    if (this.#watched.size > 0 && !this.#readingRecord) void this.#try(() => this.#readRecord());
  }

  /** Asks Redis about one approval, if it is waited for here. */
  look(id: string): void {
    if (this.#watched.has(id)) void this.#try(() => this.#read(id));
  }

  /** Rejects when it cannot be stored. */
  async decide(call: PendingCall, decision: Verdict, by: Actor): Promise<'decided' | 'late'> {
    const { approvals, record } = this.#options;
    const { outcome } = await approvals.decide(call.id, decision, by);
    const decided =
      outcome === 'unknown' ? await record.decide(call, decision, by) : outcome === 'decided';
    this.#wake(call.id);
    return decided ? 'decided' : 'late';
  }

  close(): void {
    clearInterval(this.#rereading);
    for (const id of [...this.#watched.keys()]) this.unwatch(id);
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#options.onError(error);
    }
  }

  async #read(id: string): Promise<void> {
    const known = await this.#options.approvals.read(id);
    const watched = this.#watched.get(id);
    if (!watched) return;
    if (known.state !== 'waiting' && known.state !== 'unknown') this.#wake(id);
    else if (watched.timer === undefined) {
      const left = (deadline: number) => deadline - Date.now();
      if (known.state === 'waiting') this.#expireIn(id, left(known.deadline.getTime()));
      else this.#expireIn(id, Math.max(left(watched.deadline), recordMs));
    }
  }

  async #readRecord(): Promise<void> {
    const ids = [...this.#watched.keys()];
    this.#readingRecord = true;
    try {
      const waiting = new Set(await this.#options.record.waitingAmong(ids));
      for (const id of ids) if (!waiting.has(id)) this.#wake(id);
    } finally {
      this.#readingRecord = false;
    }
  }

  #expireIn(id: string, milliseconds: number): void {
    const watched = this.#watched.get(id);
    if (!watched) return;
    clearTimeout(watched.timer);
    const expire = () => {
      watched.timer = undefined;
      void this.#try(() => this.#expire(id));
    };
    watched.timer = setTimeout(expire, Math.max(0, milliseconds));
  }

  /** What Redis does not know expires in the record. */
  async #expire(id: string): Promise<void> {
    const ended = await this.#options.approvals.expire(id);
    if (ended.outcome === 'early') this.#expireIn(id, ended.remainingMs);
    else this.#wake(id);
  }

  #wake(id: string): void {
    const watched = this.#watched.get(id);
    this.unwatch(id);
    watched?.onDecided();
  }
}
