import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Owner } from '../owner.js';

/** A handshake in progress: what ws needs to complete it, and who handles its errors. */
export type Handshake = {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly owner: Owner;
};
