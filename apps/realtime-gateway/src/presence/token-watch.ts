export type TokenWatchOptions<Session> = {
  /** Which of these organizations have used up today's tokens. */
  readonly withoutTokens: (organizationIds: readonly string[]) => Promise<readonly string[]>;
  /** Called once for each of their sessions. */
  readonly onUsedUp: (session: Session) => void;
  readonly onError: (error: unknown) => void;
  readonly lookMs: number;
};

/**
 * Checks every few seconds whether an organization with open sessions here has used up its tokens,
 * with one query for all.
 */
export class TokenWatch<Session> {
  readonly #options: TokenWatchOptions<Session>;
  readonly #watched = new Map<string, Set<Session>>();
  readonly #looks: NodeJS.Timeout;
  #looking = false;

  constructor(options: TokenWatchOptions<Session>) {
    this.#options = options;
    this.#looks = setInterval(() => void this.#look(), options.lookMs);
  }

  enter(organizationId: string, session: Session): void {
    const sessions = this.#watched.get(organizationId) ?? new Set();
    this.#watched.set(organizationId, sessions.add(session));
  }

  leave(organizationId: string, session: Session): void {
    const sessions = this.#watched.get(organizationId);
    sessions?.delete(session);
    if (sessions?.size === 0) this.#watched.delete(organizationId);
  }

  close(): void {
    clearInterval(this.#looks);
  }

  async #look(): Promise<void> {
    if (this.#looking || this.#watched.size === 0) return;
    this.#looking = true;
    try {
      for (const id of await this.#options.withoutTokens([...this.#watched.keys()])) {
        const sessions = this.#watched.get(id) ?? [];
        this.#watched.delete(id);
        for (const session of sessions) this.#options.onUsedUp(session);
      }
    } catch (error) {
      this.#options.onError(error);
    } finally {
      this.#looking = false;
    }
  }
}
