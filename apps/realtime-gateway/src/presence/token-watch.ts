export type TokenWatchOptions = {
  /** Which of these organizations have used up today's tokens. */
  readonly withoutTokens: (organizationIds: readonly string[]) => Promise<readonly string[]>;
  readonly onError: (error: unknown) => void;
  readonly lookMs: number;
};

/**
 * Checks every few seconds whether an organization with open sessions here has used up its tokens,
 * with one query for all.
 */
export class TokenWatch {
  readonly #options: TokenWatchOptions;
  readonly #watched = new Map<string, Set<() => void>>();
  readonly #looks: NodeJS.Timeout;
  #looking = false;

  constructor(options: TokenWatchOptions) {
    this.#options = options;
    this.#looks = setInterval(() => void this.#look(), options.lookMs);
  }

  /** Notifies the session once. Returns a function that ends the watch. */
  enter(organizationId: string, onUsedUp: () => void): () => void {
    const sessions = this.#watched.get(organizationId) ?? new Set();
    this.#watched.set(organizationId, sessions.add(onUsedUp));
    return () => {
      sessions.delete(onUsedUp);
      if (sessions.size === 0 && this.#watched.get(organizationId) === sessions)
        this.#watched.delete(organizationId);
    };
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
        for (const tell of sessions) tell();
      }
    } catch (error) {
      this.#options.onError(error);
    } finally {
      this.#looking = false;
    }
  }
}
