import type { LiveSession, LiveSessions } from '@parley/session-store';

export type PresenceOptions = {
  readonly live: Pick<LiveSessions, 'beat' | 'forget'>;
  readonly pod: string;
  readonly onError: (error: unknown) => void;
  readonly beatMs?: number;
};

type Present = { readonly session: LiveSession; readonly onRevoked: () => void };

/** Tells everybody which sessions are open here, and learns which of them are to be ended. */
export class Presence {
  readonly #options: PresenceOptions;
  readonly #present = new Map<string, Present>();
  readonly #beats: NodeJS.Timeout;
  /** What was told last: a session is forgotten after it. */
  #told = Promise.resolve();

  constructor(options: PresenceOptions) {
    this.#options = options;
    this.#beats = setInterval(() => this.beat(), options.beatMs ?? 5000);
  }

  enter(session: Omit<LiveSession, 'pod'>, onRevoked: () => void): void {
    const { pod } = this.#options;
    this.#present.set(session.id, { session: { ...session, pod }, onRevoked });
    this.look(session.id);
  }

  leave(id: string): void {
    const present = this.#present.get(id);
    this.#present.delete(id);
    if (present) this.#tell(() => this.#options.live.forget(present.session));
  }

  /** Asks whether a session is to be ended, if it is open here. */
  look(id: string): void {
    if (this.#present.has(id)) this.#tell(() => this.#beat([id]));
  }

  beat(): void {
    if (this.#present.size > 0) this.#tell(() => this.#beat([...this.#present.keys()]));
  }

  /** Resolves when the last session is forgotten, or cannot be. */
  async close(): Promise<void> {
    clearInterval(this.#beats);
    await this.#told;
  }

  async #beat(ids: readonly string[]): Promise<void> {
    const { live, pod } = this.#options;
    const here = ids.flatMap((id) => this.#present.get(id)?.session ?? []);
    for (const id of await live.beat(pod, here)) this.#present.get(id)?.onRevoked();
  }

  #tell(work: () => Promise<void>): void {
    this.#told = this.#told.then(work).catch(this.#options.onError);
  }
}
