// The WebSocket side: upgrades in, connections out.
import type { IncomingMessage, Server } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { Engine } from '../core/engine.js';
import { hear } from '../core/hearing.js';
import type { EngineOptions } from '../core/world.js';
import type { SimulatorSettings } from '../settings.js';
import { speak } from '../speech/voice.js';
import { admit, refuseAway, type Admission } from './admission.js';
import { SimulatorConnection } from './connection.js';
import type { Misbehaviour } from './misbehaviours.js';

// The provider takes 15 MiB of base64 audio in one event.
const maxPayload = 16 * 1024 * 1024;
/** Closed connections that `connections()` still shows. */
const keptClosed = 100;
const maxHappened = 10_000;

export type RealtimeOptions = {
  settings: SimulatorSettings;
  seed: number;
  now: () => number;
  onConnection: (connection: SimulatorConnection) => void;
};

export class RealtimeServer {
  readonly #options: RealtimeOptions;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload,
    autoPong: false,
    handleProtocols: (offered) => (offered.has('realtime') ? 'realtime' : false),
  });
  readonly #hanging = new Set<Duplex>();
  #connections: SimulatorConnection[] = [];
  #count = 0;
  #awayUntil = 0;
  /** What happened under an id. */
  readonly #happened = new Set<string>();

  constructor(server: Server, options: RealtimeOptions) {
    this.#options = options;
    server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  get connections(): readonly SimulatorConnection[] {
    return this.#connections;
  }

  close(): void {
    for (const socket of this.#hanging) socket.destroy();
    for (const connection of this.#connections) if (!connection.ending) connection.drop();
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Node no longer handles errors of an upgraded socket; a reset must not end the process.
    socket.on('error', () => socket.destroy());
    const admission = this.#isAway()
      ? refuseAway
      : admit(request, this.#options.settings.badApiKeys);
    switch (admission.outcome) {
      case 'hang':
        this.#hanging.add(socket);
        socket.on('close', () => this.#hanging.delete(socket));
        return;
      case 'refuse':
        socket.end(httpResponse(admission));
        return;
      case 'accept':
        this.#sockets.handleUpgrade(request, socket, head, (webSocket) =>
          this.#accept(webSocket, request, admission),
        );
    }
  }

  #accept(
    webSocket: WebSocket,
    request: IncomingMessage,
    admission: Extract<Admission, { outcome: 'accept' }>,
  ): void {
    const { settings, now, onConnection } = this.#options;
    const { model, misbehaviour } = admission;
    this.#count += 1;
    const connection = new SimulatorConnection(webSocket, {
      id: this.#count,
      url: request.url ?? '/',
      model,
      headers: request.headers,
      keepFrames: settings.keepFrames,
      now,
    });
    connection.on('away', (ms) => (this.#awayUntil = now() + ms));
    this.#remember(connection);
    onConnection(connection);
    if (misbehaviour?.on === 'open') misbehave(connection, misbehaviour);
    else connection.run(new Engine(this.#engineOptions(admission)));
  }

  #engineOptions({
    model,
    azure,
    misbehaviour,
  }: Extract<Admission, { outcome: 'accept' }>): EngineOptions {
    const { settings, seed } = this.#options;
    const defaults: EngineOptions = {
      model,
      azure,
      seed: seed + this.#count,
      pacing: settings,
      transcriptionDelayMs: settings.transcriptionDelayMs,
      sessionSeconds: settings.sessionSeconds,
      sessionUpdate: 'answer',
      transcription: 'answer',
      unknownEvents: false,
      isFirst: (name) => this.#isFirst(name),
      speak,
      hear,
    };
    return misbehaviour?.on === 'session' ? { ...defaults, ...misbehaviour } : defaults;
  }

  #isAway(): boolean {
    return this.#options.now() < this.#awayUntil;
  }

  #isFirst(name: string): boolean {
    if (this.#happened.has(name)) return false;
    if (this.#happened.size >= maxHappened) this.#happened.clear();
    this.#happened.add(name);
    return true;
  }

  #remember(connection: SimulatorConnection): void {
    const closed = this.#connections.filter(({ ending }) => ending);
    const forgotten = new Set(closed.slice(0, Math.max(0, closed.length - keptClosed)));
    this.#connections = [...this.#connections.filter((old) => !forgotten.has(old)), connection];
  }
}

function misbehave(
  connection: SimulatorConnection,
  misbehaviour: Extract<Misbehaviour, { on: 'open' }>,
): void {
  switch (misbehaviour.do) {
    case 'hang':
      connection.hang();
      break;
    case 'drop':
      connection.drop();
      break;
    case 'close':
      connection.close(misbehaviour.code, misbehaviour.reason);
      break;
    case 'error':
      sendErrorAndClose(connection, misbehaviour);
  }
}

function sendErrorAndClose(
  connection: SimulatorConnection,
  { type, code, message, closeCode }: Extract<Misbehaviour, { do: 'error' }>,
): void {
  const error = { type, code, message, param: null, event_id: null };
  connection.send(JSON.stringify({ type: 'error', event_id: 'event_refused', error }));
  connection.close(closeCode, `${type}.${code}`);
}

function httpResponse({
  status,
  body,
  headers,
}: Extract<Admission, { outcome: 'refuse' }>): string {
  const text = JSON.stringify(body);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}`,
    'connection: close',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
    ...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${text}`;
}
