import type { Actor } from '@parley/protocol';
import type { Approvals, ApprovalTicket, Decision } from '@parley/session-store';

export type DecisionsOptions = {
  readonly approvals: Pick<Approvals, 'open' | 'read' | 'decide' | 'expire'>;
  readonly onError: (error: unknown) => void;
  /** How often everything that waits is read again: what was published meanwhile may be lost. */
  readonly rereadMs?: number;
};

type Watched = {
  readonly onDecided: () => void;
  /** What to tell a Redis that lost its data. */
  ticket: ApprovalTicket | undefined;
  deadline: number | undefined;
  /** How often Redis did not know it, and nothing was there to tell. */
  unknown: number;
  timer: NodeJS.Timeout | undefined;
};

/**
 * Waits for the decisions about this pod's calls. Redis decides, on its clock; a hint on the pod's channel, the deadline and a regular look
 * are three reasons to ask it. Whoever watches is called back once, and asks for itself what the decision is.
 */
export class Decisions {
  readonly #options: DecisionsOptions;
  readonly #watched = new Map<string, Watched>();
  readonly #rereading: NodeJS.Timeout;

  constructor(options: DecisionsOptions) {
    this.#options = options;
    this.#rereading = setInterval(() => this.reread(), options.rereadMs ?? 5000);
  }

  get waiting(): number {
    return this.#watched.size;
  }

  watch(id: string, onDecided: () => void): void {
    const fresh = { ticket: undefined, deadline: undefined, unknown: 0, timer: undefined };
    this.#watched.set(id, { ...fresh, ...this.#watched.get(id), onDecided });
    this.look(id);
  }

  unwatch(id: string): void {
    clearTimeout(this.#watched.get(id)?.timer);
    this.#watched.delete(id);
  }

  reread(): void {
    for (const id of this.#watched.keys()) this.look(id);
  }

  /** Asks Redis about one approval, if it is waited for here. */
  look(id: string): void {
    void this.#ask(id, (watched) => this.#read(id, watched));
  }

  /** Rejects when Redis cannot be asked. */
  async decide(
    id: string,
    decision: Extract<Decision, 'approved' | 'rejected'>,
    by: Actor,
  ): Promise<'decided' | 'late'> {
    const { approvals } = this.#options;
    let { outcome } = await approvals.decide(id, decision, by);
    const watched = this.#watched.get(id);
    if (outcome === 'unknown' && watched && (await this.#reopen(watched)))
      ({ outcome } = await approvals.decide(id, decision, by));
    if (outcome !== 'unknown') this.#wake(id);
    return outcome === 'decided' ? 'decided' : 'late';
  }

  close(): void {
    clearInterval(this.#rereading);
    for (const id of [...this.#watched.keys()]) this.unwatch(id);
  }

  async #ask(id: string, question: (watched: Watched) => Promise<void>): Promise<void> {
    const watched = this.#watched.get(id);
    if (!watched) return;
    try {
      await question(watched);
    } catch (error) {
      this.#options.onError(error);
    }
  }

  async #read(id: string, watched: Watched): Promise<void> {
    const known = await this.#options.approvals.read(id);
    if (known.state === 'waiting') {
      watched.ticket = known.ticket;
      watched.deadline = known.deadline.getTime();
      if (watched.timer === undefined) this.#expireIn(id, watched.deadline - Date.now());
    } else if (known.state !== 'unknown') this.#wake(id);
    else await this.#recover(id, watched);
  }

  /** Redis does not know it any more: it is told again, or the record decides. */
  async #recover(id: string, watched: Watched): Promise<void> {
    if (await this.#reopen(watched)) return;
    watched.unknown += 1;
    // The record may say that it still waits: then it is asked with every regular look, not at once again.
    if (watched.deadline !== undefined || watched.unknown > 1) this.#wake(id);
  }

  async #reopen({ ticket, deadline = 0 }: Watched): Promise<boolean> {
    const left = deadline - Date.now();
    if (!ticket || left <= 0) return false;
    await this.#options.approvals.open(ticket, left);
    return true;
  }

  #expireIn(id: string, milliseconds: number): void {
    const watched = this.#watched.get(id);
    if (!watched) return;
    clearTimeout(watched.timer);
    const expire = () => {
      watched.timer = undefined;
      void this.#ask(id, () => this.#expire(id, watched));
    };
    watched.timer = setTimeout(expire, Math.max(0, milliseconds));
  }

  async #expire(id: string, watched: Watched): Promise<void> {
    const ended = await this.#options.approvals.expire(id);
    if (ended.outcome === 'early') this.#expireIn(id, ended.remainingMs);
    else if (ended.outcome === 'unknown') await this.#recover(id, watched);
    else this.#wake(id);
  }

  #wake(id: string): void {
    const watched = this.#watched.get(id);
    this.unwatch(id);
    watched?.onDecided();
  }
}
