import { coalesce, type ApprovalDesk, type CallOfOrganization } from '@parley/approvals';
import type { WaitingApproval } from '@parley/database';
import type { Actor } from '@parley/protocol';

export type DecisionsOptions = {
  readonly approvals: Pick<ApprovalDesk, 'decide' | 'expire'>;
  /** Which of these are still waiting, and how much time they have left. */
  readonly waitingAmong: (ids: readonly string[]) => Promise<readonly WaitingApproval[]>;
  readonly onError: (error: unknown) => void;
  /** How often all waiting approvals are read again: a hint may be lost. */
  readonly rereadMs?: number;
};

/** How long to wait before retrying if PostgreSQL is down when an approval must expire. */
const retryMs = 1000;

type Watched = { readonly onDecided: () => void; timer: NodeJS.Timeout | undefined };

/**
 * Waits for the decisions about this pod's calls. PostgreSQL decides, by its own clock. It is
 * queried after a hint on the pod's channel, at the deadline, and at regular intervals. Each
 * watcher is called back once, and reads the decision itself.
 */
export class Decisions {
  readonly #options: DecisionsOptions;
  readonly #watched = new Map<string, Watched>();
  readonly #rereading: NodeJS.Timeout;
  /** Approvals to read next: in one query, and one query at a time. */
  readonly #asked = new Set<string>();
  readonly #read = coalesce(() => this.#readAsked());

  constructor(options: DecisionsOptions) {
    this.#options = options;
    this.#rereading = setInterval(() => this.reread(), options.rereadMs ?? 5000);
  }

  get waiting(): number {
    return this.#watched.size;
  }

  watch(id: string, onDecided: () => void): void {
    this.unwatch(id);
    this.#watched.set(id, { onDecided, timer: undefined });
    this.look(id);
  }

  unwatch(id: string): void {
    clearTimeout(this.#watched.get(id)?.timer);
    this.#watched.delete(id);
  }

  reread(): void {
    for (const id of this.#watched.keys()) this.look(id);
  }

  /** Reads one approval, if anything here waits for it. */
  look(id: string): void {
    if (!this.#watched.has(id)) return;
    this.#asked.add(id);
    void this.#read();
  }

  /** False if it was already decided, or its time is over. Rejects if it cannot be stored. */
  async decide(
    call: CallOfOrganization,
    verdict: 'approved' | 'rejected',
    by: Actor,
  ): Promise<boolean> {
    const first = await this.#options.approvals.decide(call, verdict, by);
    this.#wake(call.id);
    return first;
  }

  close(): void {
    clearInterval(this.#rereading);
    for (const id of [...this.#watched.keys()]) this.unwatch(id);
  }

  async #readAsked(): Promise<void> {
    const ids = [...this.#asked];
    this.#asked.clear();
    try {
      const waiting = await this.#options.waitingAmong(ids);
      const remaining = new Map(waiting.map(({ id, remainingMs }) => [id, remainingMs]));
      for (const id of ids) {
        const remainingMs = remaining.get(id);
        if (remainingMs === undefined) this.#wake(id);
        else this.#expireIn(id, remainingMs);
      }
    } catch (error) {
      this.#options.onError(error);
    }
  }

  #expireIn(id: string, milliseconds: number): void {
    const watched = this.#watched.get(id);
    if (!watched) return;
    clearTimeout(watched.timer);
    watched.timer = setTimeout(() => void this.#expire(id), Math.max(0, milliseconds));
  }

  async #expire(id: string): Promise<void> {
    try {
      const alarm = await this.#options.approvals.expire(id);
      if (alarm.outcome === 'early') this.#expireIn(id, alarm.remainingMs);
      else this.#wake(id);
    } catch (error) {
      this.#options.onError(error);
      this.#expireIn(id, retryMs);
    }
  }

  #wake(id: string): void {
    const watched = this.#watched.get(id);
    this.unwatch(id);
    watched?.onDecided();
  }
}
