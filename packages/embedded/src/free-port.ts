import { once } from 'node:events';
import { createServer } from 'node:net';

/** A loopback port that is free right now. Another process may still take it first. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No TCP port was assigned');
  return address.port;
}
