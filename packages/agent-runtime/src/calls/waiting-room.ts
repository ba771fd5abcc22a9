/** As many approvals as a person can review. */
const seats = 16;

/**
 * The approvals that one session or one question waits for, those inside of its sub-agents
 * included.
 */
export class WaitingRoom {
  readonly #ids = new Set<string>();

  static readonly full = `At most ${seats} calls can wait for approval at a time. Ask the user to decide about those first.`;

  /** False if no seat is left. */
  enter(id: string): boolean {
    if (this.#ids.size >= seats && !this.#ids.has(id)) return false;
    this.#ids.add(id);
    return true;
  }

  /** Seats approvals that already waited elsewhere. */
  seat(ids: readonly string[]): void {
    for (const id of ids) this.#ids.add(id);
  }

  leave(id: string): void {
    this.#ids.delete(id);
  }
}
