import type { ErrorOwner } from '@parley/service-kit';

/**
 * Who handles the errors of a connection: its handshake, then its session. Everything that the
 * session starts refers to this as long as it lasts, so nothing of the handshake may be kept here.
 */
export class Owner {
  takeError: ErrorOwner;

  constructor(handshake: ErrorOwner) {
    this.takeError = handshake;
  }

  readonly current: ErrorOwner = (err) => this.takeError(err);
}
