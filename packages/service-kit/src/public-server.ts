import { randomUUID } from 'node:crypto';
import {
  createServer,
  STATUS_CODES,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';

/**
 * What Node's HTTP server refuses by itself, with an empty response, before a handler sees the
 * request.
 */
const refusals = {
  'request-malformed': 'The request is not valid HTTP/1.1.',
  'request-timeout': 'The request did not arrive in time.',
  'body-too-large': 'The extensions of a chunk in the body are too long.',
  'uri-too-long': 'The path and query of the request are too long.',
  'headers-too-large': 'The headers of the request are too large.',
  'expectation-failed': 'The only supported expectation is 100-continue.',
  'method-not-allowed': 'This is not a proxy: CONNECT is not supported.',
} as const;

export type EarlyRefusal = keyof typeof refusals;

/**
 * How long an idle connection stays open: longer than load balancers keep theirs, so that they never
 * write to one that we have just closed. Callers are told less, because some load balancers pass
 * that on to clients, whose connections they close themselves.
 */
const keepAlive = { ms: 70_000, told: 'timeout=55' };

/**
 * A client that takes nothing of an answer for this long is gone, and what it has not taken is
 * freed. Node looks twice if it has sent a part of a write, so it can take twice as long.
 */
const defaultStalledMs = 60_000;

export type WholeAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string;
};

export type PublicServerOptions = {
  readonly server?: ServerOptions;
  readonly handle: RequestListener;
  readonly answerFor: (refusal: EarlyRefusal, detail: string) => WholeAnswer;
  readonly logger: Pick<Logger, 'info'>;
  readonly stalledMs?: number;
};

/** An HTTP server that tracks its responses in progress. */
export type PublicServer = Server & {
  /** Resolves when no response is in progress. */
  answered(): Promise<void>;
};

/**
 * An HTTP server that sends all errors in our format, including those that Node would send itself.
 */
export function createPublicServer(options: PublicServerOptions): PublicServer {
  const { handle, answerFor, logger, stalledMs = defaultStalledMs } = options;
  let answering = 0;
  const listening: (() => void)[] = [];
  const waiting = new WeakMap<Duplex, ServerResponse[]>();
  const waitingOn = (socket: Duplex) => (waiting.get(socket) ?? []).filter(({ closed }) => !closed);
  const answerTo = (refusal: EarlyRefusal): WholeAnswer => {
    const { headers, ...answer } = answerFor(refusal, refusals[refusal]);
    const requestId = randomUUID();
    logger.info({ requestId, status: answer.status }, 'request refused before parsing');
    return { ...answer, headers: { ...headers, 'X-Request-Id': requestId, Connection: 'close' } };
  };
  const refuse = (response: ServerResponse, refusal: EarlyRefusal): void => {
    const { status, headers, body } = answerTo(refusal);
    response.writeHead(status, headers).end(body);
  };
  const server = createServer({
    keepAliveTimeout: keepAlive.ms,
    ...options.server,
    requireHostHeader: false,
  });
  server.on('request', (request, response) => {
    waiting.set(request.socket, [...waitingOn(request.socket), response]);
    answering += 1;
    response.setTimeout(stalledMs, () => {
      if (response.writableLength > 0) response.destroy();
    });
    response.once('close', () => {
      answering -= 1;
      if (answering === 0) for (const resolve of listening.splice(0)) resolve();
    });
    if (request.headers.host === undefined && request.httpVersion === '1.1')
      refuse(response, 'request-malformed');
    else {
      if (response.shouldKeepAlive && !response.hasHeader('Connection'))
        response.setHeader('Keep-Alive', keepAlive.told);
      handle(request, response);
    }
  });
  server.on('checkExpectation', (_request, response) => refuse(response, 'expectation-failed'));
  server.on('connect', (_request, socket) => {
    socket.on('error', () => undefined);
    writeAnswer(socket, answerTo('method-not-allowed'));
  });
  server.on('clientError', (error: ParserError, socket) => {
    if (socket.writable && mayAnswer(waitingOn(socket)))
      writeAnswer(socket, answerTo(refusalOf(error)));
    else socket.destroy();
  });
  return Object.assign(server, {
    async answered() {
      while (answering > 0) await new Promise<void>((resolve) => listening.push(resolve));
    },
  });
}

/** Writes a response by hand, for a socket that Node has handed over, and closes the connection. */
export function writeAnswer(socket: Duplex, { status, headers, body }: WholeAnswer): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines].join('\r\n');
  socket.once('finish', () => socket.destroy());
  socket.end(`${head}\r\n\r\n${body}`);
}

/**
 * The client would take our response for that to an earlier request, unless the only pending one is
 * the unreadable one.
 */
function mayAnswer(waiting: readonly ServerResponse[]): boolean {
  return (
    waiting.length < 2 && waiting.every(({ headersSent, req }) => !headersSent && !req.complete)
  );
}

type ParserError = Error & { readonly code?: string; readonly rawPacket?: Buffer };

function refusalOf({ code = '', rawPacket }: ParserError): EarlyRefusal {
  if (code === 'HPE_HEADER_OVERFLOW')
    return beginsWithLongLine(rawPacket) ? 'uri-too-long' : 'headers-too-large';
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return 'body-too-large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request-timeout' : 'request-malformed';
}

const longLine = 8192;

function beginsWithLongLine(packet: Buffer | undefined): boolean {
  if (!packet) return false;
  const end = packet.indexOf('\n');
  return (end < 0 || end > longLine) && /^[A-Z]+ \S/.test(packet.toString('latin1', 0, 64));
}
