import type { Server } from 'node:http';

/** From now on every answer ends its connection, so that the caller's next request goes to another process. */
export function announceClose(server: Server): void {
  server.prependListener('request', (_request, response) => {
    response.setHeader('Connection', 'close');
  });
}

/** Requests in flight finish; connections that only wait for a next request, now or then, do not hold the process up. */
export function closeServer(server: Server): Promise<void> {
  announceClose(server);
  // An answer that is under way has already promised to keep its connection.
  server.keepAliveTimeout = 1;
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
