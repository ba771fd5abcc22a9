import type { Server } from 'node:http';
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
 * Finishes responses in progress. Connections that wait for a next request, or never send one, do
 * not delay the process.
 */
export async function closeServer(server: PublicServer): Promise<void> {
  announceClose(server);
  server.close();
  server.closeIdleConnections();
  await server.answered();
  server.closeAllConnections();
}
