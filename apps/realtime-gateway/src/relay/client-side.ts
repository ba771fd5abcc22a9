import { customEvent, type CloseName, type UnresumableReason } from '@parley/protocol';
import {
  acknowledged,
  canReturn,
  countHeard,
  detached,
  givenUp,
  isFormer,
  objectionTo,
  offered,
  openContinuity,
  resumed,
  sent,
  type Continuity,
  type Objection,
  type Return,
} from '../core/continuity.js';
import type { Effect, Frame } from '../core/session.js';
import { ClientLeg, type LegOptions } from './client-leg.js';
import type { ClientSocket } from './client-socket.js';
import { errorText } from './told-client.js';

export type ClientSideOptions = Omit<LegOptions, 'onMessage' | 'onClose'> & {
  readonly onMessage: (data: Buffer, binary: boolean, leg: number) => void;
  readonly onClose: (code: number, leg: number) => void;
  /** When the client last sent a frame. */
  readonly heardAt: () => number;
  /** Undefined if the session ends with its connection. */
  readonly resumption: Resumption | undefined;
  readonly onUnresumable: (reason: UnresumableReason) => void;
};

/** What a session needs to be resumable. */
export type Resumption = {
  readonly budgetBytes: number;
  /** The path by which the client came from another pod's session, by the hash of its token. */
  readonly former?: string | undefined;
  /** A new path that leads to the session, and the hash of its token. */
  readonly newPath: () => { readonly path: string; readonly hash: string };
  /** The paths that lead to the session from now on, by the hashes of their tokens. */
  readonly onPaths: (hashes: readonly string[]) => void;
  /** Which of them no longer do. */
  readonly onSpent: (hashes: readonly string[]) => void;
  /** How much the session keeps has changed. */
  readonly onKept: (bytes: number) => void;
  /** The session can no longer be resumed. */
  readonly close: () => void;
  /** The session can only be resumed on another pod. */
  readonly handOver: () => void;
};

type Offer = { readonly graceSeconds: number; readonly isRestored?: boolean };
type Acknowledgement = Extract<Effect, { kind: 'acknowledge' }>;

const neverSent = {
  code: 'AcknowledgementInvalid',
  message: 'session.ack acknowledges more messages than were sent.',
} as const;

/**
 * The client of a session, whichever connection it uses. Without a resumption, it has only one, and
 * nothing is counted or kept.
 */
export class ClientSide {
  readonly #options: ClientSideOptions;
  #leg: ClientLeg | undefined;
  #continuity: Continuity | undefined;
  #graceSeconds = 0;
  /** The path that was offered last. */
  #path = '';
  #isPaused = false;

  constructor(socket: ClientSocket, options: ClientSideOptions) {
    this.#options = options;
    const { resumption } = options;
    this.#continuity = resumption && openContinuity(resumption.budgetBytes, resumption.former);
    this.#leg = this.#listenTo(socket, 1);
  }

  get socket(): ClientSocket | undefined {
    return this.#leg?.socket;
  }

  start(): void {
    this.#leg?.start(this.#options.heardAt);
    if (this.#isPaused) this.pause();
  }

  /** Reads nothing, on whatever connection, until told to go on. */
  pause(): void {
    this.#isPaused = true;
    this.#leg?.socket.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#leg?.socket.resume();
  }

  /** Whether a message on this leg is heard; then it is counted. */
  hears(leg: number, counts: boolean): boolean {
    if (!this.#continuity) return true;
    const before = this.#continuity;
    const next = countHeard(before, { leg, counts });
    if (!next) return false;
    this.#continuity = next;
    if (!before.spoken)
      this.#options.resumption?.onSpent(
        next.paths.flatMap(({ hash, spent }) => (spent ? [hash] : [])),
      );
    return true;
  }

  send(frame: Frame): void {
    if (this.#continuity) this.#keep(this.#continuity, frame);
    this.#leg?.send(frame);
  }

  /**
   * Stops reading from a client that does not read its refusals; otherwise, a few bytes of nonsense
   * would produce many of them.
   */
  reply(data: string): void {
    this.send({ data, binary: false });
    this.#leg?.holdWhileFull();
  }

  /**
   * Tells the client how to come back. If another pod had the session before, it learns that first:
   * by the new path, it comes with the new counts.
   */
  offer({ graceSeconds, isRestored = false }: Offer): void {
    const { resumption } = this.#options;
    if (!resumption || !this.#continuity?.resumable) return;
    this.#graceSeconds = graceSeconds;
    const { path: resumePath, hash } = resumption.newPath();
    this.#continuity = offered(this.#continuity, hash);
    resumption.onPaths(this.#continuity.paths.map((each) => each.hash));
    this.#path = resumePath;
    if (isRestored)
      this.#tellLeg(customEvent('session.resumed', { received: 0, restored: 'history' }));
    this.#tellLeg(customEvent('session.resumable', { resumePath, graceSeconds }));
  }

  acknowledge({ received, reply, refusedId }: Acknowledgement): void {
    const next = this.#continuity && acknowledged(this.#continuity, received);
    if (!next) {
      this.reply(errorText({ ...neverSent, refusedId }));
      return;
    }
    this.#become(next);
    if (!reply) return;
    this.#tellLeg(customEvent('session.acknowledged', { received: next.heard }));
    this.#leg?.holdWhileFull();
  }

  /** The connection is gone. Returns whether the client can come back. */
  detach(leg: number): boolean {
    if (!this.#continuity || !canReturn(this.#continuity)) return false;
    this.#continuity = detached(this.#continuity, leg);
    this.#leg?.release();
    this.#leg = undefined;
    return true;
  }

  objectionTo(client: Return): Objection | undefined {
    return this.#continuity ? objectionTo(this.#continuity, client) : 'unknown';
  }

  /** Continues on another connection, which gets everything that the client has missed. */
  attach(socket: ClientSocket, client: Return): void {
    if (!this.#continuity) return;
    this.#leg?.dismiss('SessionTakenOver');
    const isRestored = isFormer(this.#continuity, client.hash);
    const { continuity, missed } = resumed(this.#continuity, client);
    this.#become(continuity);
    this.#leg = this.#listenTo(socket, continuity.legs);
    this.offer({ graceSeconds: this.#graceSeconds, isRestored });
    for (const frame of missed) this.#leg.send(frame);
    const live = { received: continuity.heard, restored: 'live' } as const;
    if (!isRestored) this.#tellLeg(customEvent('session.resumed', live));
    this.start();
  }

  giveUp(reason: UnresumableReason): void {
    if (!this.#continuity?.resumable) return;
    this.#become(givenUp(this.#continuity));
    this.#tellUnresumable(reason);
  }

  handOver(): void {
    this.#leg?.stop();
    this.#options.resumption?.handOver();
  }

  /** Tells the client to come back now, to another pod, unless it only has its former path. */
  tellMoving(): void {
    if (this.#path === '') return;
    this.#tellLeg(customEvent('session.moving', { resumePath: this.#path }));
  }

  close(name: CloseName): void {
    this.#leg?.close(name);
  }

  stop(): void {
    this.#leg?.stop();
    this.#options.resumption?.close();
  }

  #listenTo(socket: ClientSocket, leg: number): ClientLeg {
    const { source, limits, takeError, onMessage, onViolation, onClose, onStalled } = this.#options;
    return new ClientLeg(socket, {
      source,
      limits,
      takeError,
      onViolation,
      onMessage: (data, binary) => onMessage(data, binary, leg),
      onClose: (code) => onClose(code, leg),
      // A client that can come back gets another chance to read.
      onStalled: () => {
        if (this.#continuity && canReturn(this.#continuity)) socket.terminate();
        else onStalled();
      },
    });
  }

  #keep(continuity: Continuity, frame: Frame): void {
    const next = sent(continuity, frame);
    this.#become(next);
    if (continuity.resumable && !next.resumable) this.#tellUnresumable('SessionBufferFull');
  }

  #tellUnresumable(reason: UnresumableReason): void {
    this.send({ data: customEvent('session.unresumable', { reason }), binary: false });
    this.#options.resumption?.close();
    this.#options.onUnresumable(reason);
  }

  #become(next: Continuity): void {
    const changed = next.kept.bytes !== this.#continuity?.kept.bytes;
    this.#continuity = next;
    if (changed) this.#options.resumption?.onKept(next.kept.bytes);
  }

  /** What concerns one connection is neither counted nor kept. */
  #tellLeg(data: string): void {
    this.#leg?.send({ data, binary: false });
  }
}
