import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Bearer } from '@parley/service-kit';

/**
 * A handshake in progress: what ws needs to complete it, and who handles its errors: the handshake,
 * then the session.
 */
export type Handshake = {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  bear: Bearer;
};
