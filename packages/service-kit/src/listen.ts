import { once } from 'node:events';
import type { Server } from 'node:net';
import { StartupError } from './startup-error.js';

export type ListenAddress = {
  readonly host: string;
  readonly port: number;
  /** The variable that sets the port. */
  readonly setting: string;
};

/** Resolves with the actual port, which differs from the requested one if that is 0. */
export async function listen(server: Server, at: ListenAddress): Promise<number> {
  server.listen(at.port, at.host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw describeListenError(error, at);
  }
  // A connection that cannot be accepted, for example for lack of file descriptors, must not affect
  // others.
  server.on('error', () => undefined);
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : at.port;
}

/**
 * Turns errors that an operator can fix into a StartupError that says how; others stay unchanged.
 */
export function describeListenError(error: unknown, at: ListenAddress): unknown {
  const message = listenProblem(error, at);
  return message === undefined ? error : new StartupError(message, { cause: error });
}

function listenProblem(error: unknown, { host, port, setting }: ListenAddress): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use: stop what listens there, or set ${setting} to a free port`;
    case 'EACCES':
      return `Port ${port} on ${host} is not allowed for this user: set ${setting} to 1024 or above`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is not an address of this machine: set HOST to one, or to 0.0.0.0 for all`;
    default:
      return undefined;
  }
}
