import { randomBytes } from 'node:crypto';
import { hashSessionToken, type ResumePaths } from '@parley/session-store';
import type { Resumption } from '../relay/client-side.js';
import type { RelaySession } from '../relay/relay-session.js';
import type { ResumableSizes } from './resume-metrics.js';

export type ResumableOptions = {
  readonly sessionBytes: number;
  /** What all sessions may keep together. */
  readonly podBytes: number;
  /** Where other pods find the paths, for as long as a session can last. */
  readonly paths: Pick<ResumePaths, 'lead' | 'forget'>;
  readonly sessionSeconds: number;
  readonly onError: (error: unknown) => void;
};

/** A session, and whose it is, as its paths name it. */
export type Resumable = {
  readonly sessionId: string;
  readonly organizationId: string;
  readonly agentId: string;
  readonly conversationId: string;
  readonly session: () => RelaySession;
  /** The path by which the client came from another pod's session, by the hash of its token. */
  readonly former?: string | undefined;
};

type Path = { readonly path: string; readonly hash: string };

/** The next path is known to all pods before it is offered. */
type Entry = Resumable & {
  hashes: readonly string[];
  spent: readonly string[];
  next: Path;
  bytes: number;
};

/**
 * The sessions of this process that can be resumed: which token leads to which of them, and how
 * much they keep together. Beyond the limit, the oldest that keeps anything has to let go, of the
 * organization that keeps most.
 */
export class ResumableSessions {
  readonly #options: ResumableOptions;
  readonly #byHash = new Map<string, Entry>();
  readonly #entries = new Set<Entry>();
  #bytes = 0;

  constructor(options: ResumableOptions) {
    this.#options = options;
  }

  get sizes(): ResumableSizes {
    const detached = [...this.#entries].filter((entry) => entry.session().isDetached).length;
    return { bytes: this.#bytes, detached };
  }

  find(hash: string): Resumable | undefined {
    return this.#byHash.get(hash);
  }

  enter(resumable: Resumable): Resumption {
    const { former } = resumable;
    const entry: Entry = {
      ...resumable,
      hashes: [],
      spent: [],
      next: newPath(resumable),
      bytes: 0,
    };
    this.#entries.add(entry);
    this.#announce(entry, [entry.next.hash]);
    if (former !== undefined) this.#lead([former], entry);
    return {
      budgetBytes: this.#options.sessionBytes,
      former,
      newPath: () => this.#nextPath(entry),
      onPaths: (hashes) => this.#lead(hashes, entry),
      onSpent: (hashes) => {
        entry.spent = hashes;
        this.#withdraw(hashes);
      },
      onKept: (bytes) => this.#note(entry, bytes),
      close: () => this.#leave(entry, [...entry.hashes, entry.next.hash]),
      handOver: () => this.#leave(entry, [entry.next.hash]),
    };
  }

  /** Redis may have lost what it knew. */
  announceAll(): void {
    for (const entry of this.#entries) {
      const valid = entry.hashes.filter((hash) => !entry.spent.includes(hash));
      this.#announce(entry, [...valid, entry.next.hash]);
    }
  }

  #nextPath(entry: Entry): Path {
    const path = entry.next;
    entry.next = newPath(entry);
    this.#announce(entry, [entry.next.hash]);
    return path;
  }

  #announce({ sessionId: id, organizationId }: Entry, hashes: readonly string[]): void {
    const { paths, sessionSeconds, onError } = this.#options;
    for (const hash of hashes)
      paths.lead(hash, { organizationId, id }, sessionSeconds).catch(onError);
  }

  #withdraw(hashes: readonly string[]): void {
    const { paths, onError } = this.#options;
    for (const hash of hashes) paths.forget(hash).catch(onError);
  }

  #lead(hashes: readonly string[], entry: Entry): void {
    this.#withdraw(entry.hashes.filter((hash) => !hashes.includes(hash)));
    this.#forget(entry);
    for (const hash of hashes) this.#byHash.set(hash, entry);
    entry.hashes = hashes;
  }

  #note(entry: Entry, bytes: number): void {
    if (!this.#entries.has(entry)) return;
    this.#bytes += bytes - entry.bytes;
    entry.bytes = bytes;
    for (let left = this.#entries.size; left > 0; left -= 1) {
      if (this.#bytes <= this.#options.podBytes) return;
      this.#oldestOfLargest()?.session().giveUp('InstanceBufferFull');
    }
  }

  /** Of the organization whose sessions keep most, so that none pushes others out. */
  #oldestOfLargest(): Entry | undefined {
    const shares = new Map<string, { bytes: number; readonly oldest: Entry }>();
    for (const entry of this.#entries) {
      if (entry.bytes === 0) continue;
      const share = shares.get(entry.organizationId);
      if (share) share.bytes += entry.bytes;
      else shares.set(entry.organizationId, { bytes: entry.bytes, oldest: entry });
    }
    let largest = { bytes: 0, oldest: undefined as Entry | undefined };
    for (const share of shares.values()) if (share.bytes > largest.bytes) largest = share;
    return largest.oldest;
  }

  #leave(entry: Entry, withdrawn: readonly string[]): void {
    if (!this.#entries.delete(entry)) return;
    this.#bytes -= entry.bytes;
    entry.bytes = 0;
    this.#withdraw(withdrawn);
    this.#forget(entry);
  }

  #forget(entry: Entry): void {
    for (const hash of entry.hashes) this.#byHash.delete(hash);
  }
}

function newPath({ agentId, conversationId }: Resumable): Path {
  const token = randomBytes(32).toString('base64url');
  const hash = hashSessionToken(token).toString('hex');
  const path = `/api/v1/Agent/${agentId}/realtime?conversationId=${conversationId}&resume=${token}`;
  return { path, hash };
}
