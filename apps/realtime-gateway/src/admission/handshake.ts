import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Bearer } from '@parley/service-kit';

/** A handshake in progress: what ws needs to complete it, and who handles its errors. */
export type Handshake = {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly owner: Owner;
};

/**
 * Who handles the errors of a connection: its handshake, then its session. Everything that the
 * session starts refers to this as long as it lasts, so nothing of the handshake may be kept here.
 */
export class Owner {
  bear: Bearer;

  constructor(handshake: Bearer) {
    this.bear = handshake;
  }

  readonly current: Bearer = (err) => this.bear(err);
}
