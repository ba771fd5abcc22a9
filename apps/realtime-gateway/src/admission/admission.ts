import type { IncomingMessage } from 'node:http';
import type { Outcome } from '@parley/database';
import type { Egress } from '@parley/egress';
import type { ProviderConnection } from '@parley/providers';
import type { ClientAddress } from '@parley/service-kit';
import type { FailedAttempts, LiveSessions, ResumableId } from '@parley/session-store';
import type { SessionRecords } from '../ports.js';
import { endUnopened } from '../records/end-unopened.js';
import { leaveToOthers, restoreSession, type Moved } from '../resumption/restore-session.js';
import { admit, isTokenRefusal, type AdmissionPorts, type Admitted } from './admit.js';
import { chooseProvider, type Opening } from './choose-provider.js';
import type { Door } from './open-door.js';
import { tooManyFailures, unavailable, type Refusal } from './refusal.js';
import {
  noWebSocket,
  parseUpgrade,
  type DoorRequest,
  type ResumeRequest,
  type SessionRequest,
} from './upgrade-request.js';

export type AdmissionOptions = AdmissionPorts & {
  readonly settings: {
    readonly REALTIME_ALLOWED_ORIGINS: readonly string[];
    readonly REALTIME_MAX_SESSIONS: number;
    readonly REALTIME_MODEL: string;
  };
  readonly records: Pick<SessionRecords, 'admit' | 'restore' | 'recorder'>;
  readonly live: Pick<LiveSessions, 'enter' | 'count' | 'forget' | 'giveUp'>;
  /** Counts upgrades with invalid tokens, by client address. */
  readonly attempts: FailedAttempts;
  readonly clientAddress: ClientAddress;
  /** For agents without a connection of their own. */
  readonly defaultConnection: ProviderConnection | undefined;
  /**
   * Guards the connections that organizations configure. The operator is responsible for the
   * deployment's own.
   */
  readonly egress: Pick<Egress, 'check' | 'lookup'>;
  /** For OpenAI clients; undefined if they are not admitted. */
  readonly door?: Door | undefined;
};

/** The state of the process that decides whether it takes more clients. */
export type Occupancy = { readonly sessions: number; readonly isDraining: boolean };

/** Decides which clients may open a session, from their upgrade to the addresses of their provider. */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #occupancy: () => Occupancy;
  #underWay = 0;

  constructor(options: AdmissionOptions, occupancy: () => Occupancy) {
    this.#options = options;
    this.#occupancy = occupancy;
  }

  parse(request: IncomingMessage): ReturnType<typeof parseUpgrade> {
    const { REALTIME_ALLOWED_ORIGINS: allowedOrigins } = this.#options.settings;
    return parseUpgrade(request, { allowedOrigins, door: this.#options.door !== undefined });
  }

  async judge(request: IncomingMessage): Promise<Opening | ResumeRequest | Refusal> {
    const parsed = this.parse(request);
    if (parsed.kind === 'refused') return parsed;
    if (this.#occupancy().isDraining) return unavailable('draining');
    if (parsed.kind === 'resume') return parsed;
    if (this.#isFull()) return unavailable('full');
    return this.#prepare(await this.#admit(parsed, this.#options.clientAddress(request)));
  }

  /** Continues a session that no other pod has any more. */
  async restore(asked: ResumeRequest, former: ResumableId): Promise<Opening | Moved | Refusal> {
    if (this.#isFull()) return unavailable('full');
    const restored = await this.#counted(restoreSession(asked, former, this.#options));
    return restored.kind === 'moved' ? restored : this.#prepare(restored);
  }

  /** Ends the session of a client that does not connect, and releases what was prepared for it. */
  discard({ sessionId: session, tools, live, inherited }: Admitted): void {
    const { records, logger } = this.#options;
    const recorder = records.recorder({ ...live, sessionId: session });
    // If its end cannot be recorded, the worker finds it among the lost sessions.
    const onSettled = (outcome: Outcome) => {
      if (outcome === 'failed') return;
      this.#options.live.forget(live).catch((err: unknown) => {
        logger.warn({ err, session }, 'removing live session failed');
      });
    };
    if (inherited) leaveToOthers(recorder, onSettled);
    else endUnopened(recorder, 'ClientGone', onSettled);
    tools.close().catch((err: unknown) => {
      logger.warn({ err, session }, 'closing tools failed');
    });
  }

  #isFull(): boolean {
    const { REALTIME_MAX_SESSIONS: most } = this.#options.settings;
    return this.#occupancy().sessions + this.#underWay >= most;
  }

  #counted<T>(work: Promise<T>): Promise<T> {
    this.#underWay += 1;
    return work.finally(() => (this.#underWay -= 1));
  }

  #prepare(admitted: Admitted | Refusal): Opening | Refusal {
    if (admitted.kind === 'refused') return admitted;
    const opening = this.#occupancy().isDraining
      ? unavailable('draining')
      : chooseProvider(admitted, this.#options);
    if (opening.kind === 'refused') this.discard(admitted);
    return opening;
  }

  /** An address with too many wrong tokens is refused before any store is queried. */
  async #admit(asked: SessionRequest | DoorRequest, address: string): Promise<Admitted | Refusal> {
    const { attempts } = this.#options;
    const seconds = attempts.refusedFor(address);
    if (seconds !== undefined) return tooManyFailures(seconds);
    const admitted = await this.#counted(this.#redeem(asked));
    if (admitted.kind === 'refused' && isTokenRefusal(admitted)) await attempts.failed(address);
    return admitted;
  }

  async #redeem(asked: SessionRequest | DoorRequest): Promise<Admitted | Refusal> {
    if (asked.kind === 'session') return admit(asked, this.#options);
    const session = (await this.#options.door?.session(asked)) ?? noWebSocket();
    if (session.kind === 'refused') return session;
    const admitted = await admit(session, this.#options);
    return admitted.kind === 'admitted' ? { ...admitted, atDoor: true } : admitted;
  }
}
