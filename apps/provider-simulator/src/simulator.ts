import { randomInt } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { listen } from '@parley/service-kit';
import { IdSource } from './core/ids.js';
import { defaultSettings, type SimulatorSettings } from './settings.js';
import type { SimulatorConnection } from './shell/connection.js';
import { createHttpApp } from './shell/http-app.js';
import { RealtimeServer } from './shell/realtime-server.js';

/** The part of a logger that the simulator needs; pino satisfies it. */
export type SimulatorLogger = { info: (fields: object, message: string) => void };

export type SimulatorOptions = {
  host?: string;
  /** 0 or absent: any free port. */
  port?: number;
  settings?: Partial<SimulatorSettings>;
  logger?: SimulatorLogger;
  now?: () => number;
};

export type Simulator = {
  /** The base URL as an OpenAI SDK takes it, `http://host:port/v1`. */
  readonly url: string;
  readonly port: number;
  /** Open connections and the latest closed ones, oldest first. */
  connections: () => readonly SimulatorConnection[];
  /** Emits `connection` for each WebSocket that was accepted. */
  readonly events: EventEmitter<{ connection: [SimulatorConnection] }>;
  /** Drops open connections and stops listening. */
  close: () => Promise<void>;
};

export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { host = '127.0.0.1', port = 0, logger, now = Date.now } = options;
  const settings = { ...defaultSettings, ...options.settings };
  const seed = settings.seed ?? randomInt(2 ** 32);
  const events = new EventEmitter<{ connection: [SimulatorConnection] }>();
  const server = createServer(createHttpApp({ settings, ids: new IdSource(seed), now }));
  const realtime = new RealtimeServer(server, {
    settings,
    seed,
    now,
    onConnection: (connection) => {
      logger?.info(
        { connection: connection.id, model: connection.model },
        'simulated session opened',
      );
      connection.on('note', (note) =>
        logger?.info(
          { connection: connection.id, note },
          'simulated session differs from its request',
        ),
      );
      events.emit('connection', connection);
    },
  });
  const bound = await listen(server, { host, port, setting: 'PORT' });
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    realtime.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}/v1`,
    port: bound,
    connections: () => realtime.connections,
    events,
    close: () => (closing ??= close()),
  };
}
