import type { LiveSession, LiveSessions } from '@parley/session-store';

export type PresenceOptions = {
  readonly live: Pick<LiveSessions, 'beat' | 'forget'>;
  /** Which of these API keys are revoked, expired or deleted, and which members are gone. */
  readonly unusableOpeners: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly pod: string;
  readonly onError: (error: unknown) => void;
  readonly beatMs?: number;
};

/** The API key or member that created a session, and how to end the session early. */
export type Revocable = { readonly openerId: string | null; readonly onRevoked: () => void };

type Present = Revocable & { readonly session: LiveSession };

/**
 * Keeps the sessions registered that are open here, and finds out which of them must end: from Redis,
 * those that somebody revoked; from PostgreSQL, those whose API key is no longer usable, or whose
 * member was removed. Each store works without the other.
 */
export class Presence {
  readonly #options: PresenceOptions;
  readonly #present = new Map<string, Present>();
  readonly #beats: NodeJS.Timeout;
  /** The last registration: a session is removed after it. */
  #told = Promise.resolve();
  #checking = false;

  constructor(options: PresenceOptions) {
    this.#options = options;
    this.#beats = setInterval(() => this.beat(), options.beatMs ?? 5000);
  }

  /** Its admission has registered it; from now on, the beats keep it so. */
  enter(session: LiveSession, revocable: Revocable): void {
    this.#present.set(session.id, { session, ...revocable });
  }

  /** Its end is in the record. Resolves when it is removed, or cannot be. */
  leave(id: string): Promise<void> {
    const present = this.#present.get(id);
    this.#present.delete(id);
    if (present) this.#tell(() => this.#options.live.forget(present.session));
    return this.#told;
  }

  /** Its end could not be recorded: without beats, it is lost, and the worker ends it. */
  abandon(id: string): void {
    this.#present.delete(id);
  }

  /** Checks whether a session must end, if it is open here. */
  look(id: string): void {
    if (this.#present.has(id)) this.#tell(() => this.#beat([id]));
  }

  beat(): void {
    if (this.#present.size === 0) return;
    this.#tell(() => this.#beat([...this.#present.keys()]));
    void this.#checkOpeners();
  }

  /** Resolves when the last session is removed, or cannot be. */
  async close(): Promise<void> {
    clearInterval(this.#beats);
    await this.#told;
  }

  async #beat(ids: readonly string[]): Promise<void> {
    const { live, pod } = this.#options;
    const here = ids.flatMap((id) => this.#present.get(id)?.session ?? []);
    for (const id of await live.beat(pod, here)) this.#present.get(id)?.onRevoked();
  }

  /**
   * One at a time, and independent of the heartbeats, so that a slow PostgreSQL does not make
   * sessions look lost.
   */
  async #checkOpeners(): Promise<void> {
    if (this.#checking) return;
    this.#checking = true;
    const { unusableOpeners, onError } = this.#options;
    try {
      const ids = new Set([...this.#present.values()].flatMap(({ openerId }) => openerId ?? []));
      const unusable = await unusableOpeners([...ids]);
      for (const { openerId, onRevoked } of [...this.#present.values()])
        if (openerId !== null && unusable.has(openerId)) onRevoked();
    } catch (error) {
      onError(error);
    } finally {
      this.#checking = false;
    }
  }

  #tell(work: () => Promise<void>): void {
    this.#told = this.#told.then(work).catch(this.#options.onError);
  }
}
