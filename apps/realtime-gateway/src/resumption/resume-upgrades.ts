import type { Duplex } from 'node:stream';
import type { Logger } from '@parley/service-kit';
import {
  hashSessionToken,
  type FailedAttempts,
  type LiveSessions,
  type ResumableId,
  type ResumePaths,
} from '@parley/session-store';
import { isTokenRefusal } from '../admission/admit.js';
import type { Handshake } from '../admission/handshake.js';
import { tooManyFailures, unavailable, type Refusal } from '../admission/refusal.js';
import type { ResumeRequest } from '../admission/upgrade-request.js';
import { findResumable, unknownToken, type Resuming } from './find-resumable.js';
import type { PeerProof } from './peer-proof.js';
import { pipe } from './pipe.js';
import type { Moved } from './restore-session.js';
import type { ResumeMetrics } from './resume-metrics.js';
import type { ResumableSessions } from './resumable-sessions.js';

export type ResumeUpgradesOptions = {
  readonly resumables: Pick<ResumableSessions, 'find'>;
  readonly paths: Pick<ResumePaths, 'find'>;
  readonly live: Pick<LiveSessions, 'find'>;
  readonly proof: PeerProof;
  readonly pod: string;
  readonly attempts: FailedAttempts;
  /** How long another pod may send nothing to a client that is passed on to it. */
  readonly silenceMs: number;
  readonly logger: Logger;
  readonly metrics: Pick<ResumeMetrics, 'passedOn' | 'unreachable'>;
  /** Called without waiting: what is allowed now may not be later. */
  readonly onResuming: (handshake: Handshake, resuming: Resuming) => void;
  readonly onPipeEnd: () => void;
  /**
   * Continues a session whose pod is gone. Returns a refusal if that is not possible, or which
   * session continues it already.
   */
  readonly restore: (
    handshake: Handshake,
    asked: ResumeRequest,
    session: ResumableId,
  ) => Promise<Refusal | Moved | undefined>;
};

export type ResumeUpgrade = {
  readonly handshake: Handshake;
  readonly asked: ResumeRequest;
  readonly clientAddress: string;
  /** Whether another pod has passed the client on to this one, which then does not do so. */
  readonly isPassedOn: boolean;
};

const connectMs = 2000;
/** How many sessions may have continued one another while a client was away. */
const maxMoves = 32;

/** Clients that continue their sessions, which are here or on another pod. */
export class ResumeUpgrades {
  readonly #options: ResumeUpgradesOptions;
  readonly #pipes = new Set<{ drain(): void }>();

  constructor(options: ResumeUpgradesOptions) {
    this.#options = options;
  }

  /** The connections of clients whose sessions are on other pods. */
  get pipes(): ReadonlySet<{ drain(): void }> {
    return this.#pipes;
  }

  /** Returns a refusal, or undefined if the client is connected to its session. */
  async handle(upgrade: ResumeUpgrade): Promise<Refusal | undefined> {
    const { attempts, resumables, onResuming } = this.#options;
    const { handshake, asked, clientAddress, isPassedOn } = upgrade;
    const seconds = attempts.refusedFor(clientAddress);
    if (seconds !== undefined) return tooManyFailures(seconds);
    const here = findResumable(asked, this.#options);
    if (here.kind === 'resuming') {
      onResuming(handshake, here);
      return undefined;
    }
    const isHere = resumables.find(hashOf(asked)) !== undefined;
    if (!isHere && isPassedOn) return this.#continueHere(upgrade);
    const refusal = isHere ? here : await this.#passOn(upgrade);
    if (refusal && isTokenRefusal(refusal)) await attempts.failed(clientAddress);
    return refusal;
  }

  /** To the session that the path leads to, or the last of those that continue it. */
  async #passOn(upgrade: ResumeUpgrade): Promise<Refusal | undefined> {
    const { paths, logger } = this.#options;
    try {
      let session = await paths.find(hashOf(upgrade.asked));
      for (let moves = 0; session && moves <= maxMoves; moves += 1) {
        const outcome: Refusal | Moved | undefined = await this.#reach(session, upgrade);
        if (outcome?.kind !== 'moved') return outcome;
        session = { ...session, id: outcome.to };
      }
      return unknownToken();
    } catch (err) {
      logger.error({ err }, 'finding session failed');
      return unavailable('store-unavailable');
    }
  }

  async #reach(
    session: ResumableId,
    { handshake, asked, clientAddress }: ResumeUpgrade,
  ): Promise<Refusal | Moved | undefined> {
    const { live, proof, logger, metrics, pod, restore, silenceMs } = this.#options;
    const owner = await live.find(session.id);
    // It has just ended here, and is not recorded yet: then PostgreSQL knows whether it goes on.
    if (owner?.pod === pod) return unavailable('owner-unreachable');
    const address = owner?.address;
    if (owner && address === undefined) return unavailable('owner-unreachable');
    const headers = proof.headersFor(handshake.request, clientAddress);
    const peer = address && (await pipe({ ...handshake, address, headers, connectMs, silenceMs }));
    if (!peer) {
      if (handshake.socket.destroyed) return undefined;
      if (owner) {
        logger.warn({ session: owner.id, address }, 'pod of session unreachable');
        metrics.unreachable();
      }
      return restore(handshake, asked, session);
    }
    metrics.passedOn();
    this.#keep(peer);
    return undefined;
  }

  /** The pod of the session has this address, or had it: a gateway that is started again keeps it. */
  async #continueHere({ handshake, asked }: ResumeUpgrade): Promise<Refusal | undefined> {
    const { paths, live, logger, pod, restore } = this.#options;
    try {
      const session = await paths.find(hashOf(asked));
      const owner = session && (await live.find(session.id));
      // It was here until this pod handed it over.
      if (!owner || owner.pod === pod) return unavailable('draining');
      const outcome = await restore(handshake, asked, session);
      return outcome?.kind === 'moved' ? unavailable('draining') : outcome;
    } catch (err) {
      logger.error({ err }, 'finding session failed');
      return unavailable('store-unavailable');
    }
  }

  #keep(peer: Duplex): void {
    const entry = { drain: () => void peer.destroy() };
    this.#pipes.add(entry);
    peer.once('close', () => {
      this.#pipes.delete(entry);
      this.#options.onPipeEnd();
    });
  }
}

function hashOf({ token }: ResumeRequest): string {
  return hashSessionToken(token).toString('hex');
}
