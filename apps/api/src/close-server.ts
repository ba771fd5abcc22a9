import type { Server } from 'node:http';

/** Requests in flight finish; connections that only wait for a next request do not hold the process up. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
