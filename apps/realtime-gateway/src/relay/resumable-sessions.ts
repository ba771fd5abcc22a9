import { randomBytes } from 'node:crypto';
import { hashSessionToken } from '@parley/session-store';
import type { Resumption } from './client-side.js';
import type { RelaySession } from './relay-session.js';

export type ResumableOptions = {
  readonly sessionBytes: number;
  /** What all sessions may keep together. */
  readonly podBytes: number;
};

/** Whose session it is, as its paths name it. */
export type Resumable = {
  readonly agentId: string;
  readonly conversationId: string;
  readonly session: () => RelaySession;
};

type Entry = Resumable & { hashes: readonly string[]; bytes: number };

/**
 * The sessions of this process that can be resumed: which token leads to which of them, and how
 * much they keep together. Beyond the limit, the oldest that keeps anything has to let go.
 */
export class ResumableSessions {
  readonly #options: ResumableOptions;
  readonly #byHash = new Map<string, Entry>();
  readonly #entries = new Set<Entry>();
  #bytes = 0;

  constructor(options: ResumableOptions) {
    this.#options = options;
  }

  get bytes(): number {
    return this.#bytes;
  }

  find(hash: string): Resumable | undefined {
    return this.#byHash.get(hash);
  }

  enter(resumable: Resumable): Resumption {
    const entry: Entry = { ...resumable, hashes: [], bytes: 0 };
    this.#entries.add(entry);
    return {
      budgetBytes: this.#options.sessionBytes,
      newPath: () => newPath(resumable),
      onPaths: (hashes) => this.#lead(hashes, entry),
      onKept: (bytes) => this.#note(entry, bytes),
      close: () => this.#leave(entry),
    };
  }

  #lead(hashes: readonly string[], entry: Entry): void {
    for (const hash of entry.hashes) this.#byHash.delete(hash);
    for (const hash of hashes) this.#byHash.set(hash, entry);
    entry.hashes = hashes;
  }

  #note(entry: Entry, bytes: number): void {
    if (!this.#entries.has(entry)) return;
    this.#bytes += bytes - entry.bytes;
    entry.bytes = bytes;
    for (const oldest of this.#entries) {
      if (this.#bytes <= this.#options.podBytes) return;
      if (oldest.bytes > 0) oldest.session().giveUp('InstanceBufferFull');
    }
  }

  #leave(entry: Entry): void {
    this.#entries.delete(entry);
    this.#bytes -= entry.bytes;
    entry.bytes = 0;
    this.#lead([], entry);
  }
}

function newPath({ agentId, conversationId }: Resumable): { path: string; hash: string } {
  const token = randomBytes(32).toString('base64url');
  const hash = hashSessionToken(token).toString('hex');
  const path = `/api/v1/Agent/${agentId}/realtime?conversationId=${conversationId}&resume=${token}`;
  return { path, hash };
}
