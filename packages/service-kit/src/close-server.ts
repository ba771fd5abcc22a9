import type { Server } from 'node:http';
import pTimeout from 'p-timeout';
import type { PublicServer } from './public-server.js';

/**
 * From now on, every response closes its connection, so that the caller's next request goes to
 * another process.
 */
export function announceClose(server: Server): void {
  server.prependListener('request', (_request, response) => {
    response.setHeader('Connection', 'close');
  });
}

/**
 * Lets responses in progress finish, for so long. Connections that wait for a next request, or never
 * send one, do not delay the process.
 */
export async function closeServer(server: PublicServer, timeoutMs: number): Promise<void> {
  announceClose(server);
  server.close();
  server.closeIdleConnections();
  await pTimeout(server.answered(), { milliseconds: timeoutMs, message: false });
  server.closeAllConnections();
}
