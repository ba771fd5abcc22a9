import type { IncomingMessage, RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { announceClose, closeServer } from './close-server.js';
import { listen } from './listen.js';
import type { Host } from './process.js';
import {
  createPublicServer,
  type PublicServer,
  type PublicServerOptions,
} from './public-server.js';

/** An app as it is served: on its own port, or behind a shared one. */
export type Served = {
  readonly handle: RequestListener;
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /**
   * Releases callers that wait for others. Resolves when everything that must end before the server
   * has ended.
   */
  readonly drain: () => Promise<void> | void;
};

export type ServeOptions = Served & Pick<PublicServerOptions, 'server' | 'answerFor'>;

/** Serves an app on PORT until the process stops. */
export async function serve(
  host: Host<{ readonly HOST: string; readonly PORT: number }>,
  { upgrade, drain, ...options }: ServeOptions,
): Promise<{ port: number }> {
  const { config, logger } = host;
  const server = createPublicServer({ ...options, logger });
  if (upgrade) server.on('upgrade', upgrade);
  const port = await listen(server, { host: config.HOST, port: config.PORT, setting: 'PORT' });
  stopServing(host, server, drain);
  return { port };
}

/** For the last response in progress, even if the app took all the time there was. */
const leastMs = 1000;

/**
 * How a server stops: it accepts requests during the lag, then its app drains, then it closes. What
 * comes after it has its own share of the shutdown, so responses in progress get no more than the
 * work's.
 */
export function stopServing(
  { lifecycle, budget }: Pick<Host<unknown>, 'lifecycle' | 'budget'>,
  server: PublicServer,
  drain: Served['drain'],
): void {
  let drainedMs = 0;
  lifecycle.add('server', () => closeServer(server, Math.max(budget.workMs - drainedMs, leastMs)));
  lifecycle.add('work', async () => {
    const startedAt = performance.now();
    await drain();
    drainedMs = performance.now() - startedAt;
  });
  lifecycle.add('lag', () => {
    announceClose(server);
    return delay(budget.lagMs);
  });
}
