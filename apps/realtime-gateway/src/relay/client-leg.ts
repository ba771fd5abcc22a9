import type { RawData, WebSocket } from 'ws';
import { closeCodes, type CloseName } from '@parley/protocol';
import { guardedBy, type ErrorOwner } from '@parley/service-kit';
import type { Frame } from '../core/session.js';
import type { ClientSocket } from './client-socket.js';
import { Heartbeat } from './heartbeat.js';
import { Outbox } from './outbox.js';
import type { RelayLimits } from './relay-limits.js';

export type LegOptions = {
  /** The peer whose frames the client gets: paused while the client reads too slowly. */
  readonly source: () => WebSocket | undefined;
  readonly limits: RelayLimits;
  readonly takeError: ErrorOwner;
  readonly onMessage: (data: Buffer, binary: boolean) => void;
  /** A frame broke the WebSocket protocol; the socket is about to be closed with this code. */
  readonly onViolation: (code: number) => void;
  readonly onStalled: () => void;
  readonly onClose: (code: number) => void;
};

/** One connection of a client. */
export class ClientLeg {
  readonly socket: ClientSocket;
  readonly #outbox: Outbox;
  readonly #limits: RelayLimits;
  #pulse: Heartbeat | undefined;

  constructor(socket: ClientSocket, options: LegOptions) {
    const { source, limits, takeError, onMessage, onViolation, onStalled, onClose } = options;
    this.socket = socket;
    this.#limits = limits;
    this.#outbox = new Outbox({ target: socket, source, limits, onStalled });
    socket.onViolation = guardedBy(takeError, onViolation);
    // For a peer that does not read, pongs would only pile up here.
    const onPing = guardedBy(takeError, (data: Buffer) => {
      if (socket.bufferedAmount < limits.fullBytes) socket.pong(data);
    });
    socket
      .on(
        'message',
        guardedBy(takeError, (message: RawData, binary: boolean) =>
          onMessage(message as Buffer, binary),
        ),
      )
      .on('ping', onPing)
      // Socket errors are followed by 'close'.
      .on('error', () => undefined);
    socket.once('close', guardedBy(takeError, onClose));
  }

  /** Starts to read, and to check that the client is there. */
  start(heardAt: () => number): void {
    const { socket } = this;
    const outbox = this.#outbox;
    const peer = { peer: socket, heardAt: () => Math.max(heardAt(), outbox.sentAt) };
    this.#pulse = new Heartbeat(peer, this.#limits, () => {
      // The ping waits behind everything else: the outbox tells whether the client still reads.
      if (!outbox.isFull) socket.terminate();
    });
    socket.resume();
  }

  send(frame: Frame): void {
    this.#outbox.send(frame);
  }

  /** Stops reading while the client does not read. */
  holdWhileFull(): void {
    this.#outbox.holdWhileFull(this.socket);
  }

  close(name: CloseName): void {
    this.#outbox.flush();
    this.socket.close(closeCodes[name].code, name);
    // The peer's half of the closing handshake must be read.
    this.socket.resume();
  }

  /** Closes the connection, of which nothing more is heard. */
  dismiss(name: CloseName): void {
    this.release();
    this.socket.onViolation = undefined;
    for (const event of ['message', 'ping', 'close']) this.socket.removeAllListeners(event);
    this.close(name);
  }

  /** Stops the timers, and lets the other side go on if it waited for this client. */
  release(): void {
    this.#pulse?.stop();
    this.#outbox.release();
  }

  stop(): void {
    this.#pulse?.stop();
    this.#outbox.stop();
  }
}
