import { fields, parsed, text } from '../core/read.js';
import { ParleyError } from '../errors.js';
import { openSocket } from '../sockets/open-socket.js';
import type { Socket } from '../sockets/socket.js';
import { sequelOf, type Close } from './closes.js';
import type { ConnectOptions, SessionRequest } from './connect-options.js';
import { Liveness } from './liveness.js';
import type { RawEvent } from './session-events.js';
import { serviceIn, socketUrl } from './socket-url.js';
import { within } from './within.js';

const defaultTimeoutMs = 20_000;

/** One WebSocket, from requesting a session to its end. */
export type Connection = {
  readonly conversationId: string | undefined;
  /** Where the service is: a path that continues the session belongs there. */
  readonly service: string;
  send(message: string): void;
  /** Ends the session. */
  close(): void;
  /** Leaves the session, to continue it on another connection. */
  leave(): void;
};

export type ConnectionEvents = {
  /**
   * The session is ready for input. A callback, because events may arrive before a promise would
   * resolve. Gets the event that says so.
   */
  onReady(connection: Connection, event: RawEvent): void;
  /** Called for every message; the event is undefined if it is not one. */
  onMessage(event: RawEvent | undefined): void;
  isResumable(): boolean;
  /** Asks the service whether it is there. */
  onDoubt(): void;
  /** Called once, and only after `onReady`. */
  onLost(close: Close): void;
};

/** Paths that were already used: each opens one session. */
const spent = new Set<string>();
const maxSpent = 100;

/** Opens a session, or throws the reason why it could not. */
export function connect(
  options: ConnectOptions,
  request: SessionRequest,
  events: ConnectionEvents,
): Promise<void> {
  return inTime(options, async ({ until, stopped }) => {
    const path = await orStopped(asked(options.create, request, until), until, stopped);
    const url = socketUrl(path, options.baseUrl);
    spend(url);
    await opened(url, { until, stopped, events, readyAt: 'session.updated' });
  });
}

/** Opens another connection of the same session. */
export function reconnect(
  options: ConnectOptions,
  path: string,
  events: ConnectionEvents,
): Promise<void> {
  return inTime(options, ({ until, stopped }) => {
    const url = socketUrl(path, options.baseUrl);
    return opened(url, { until, stopped, events, readyAt: 'session.resumed' });
  });
}

type Limit = { readonly until: AbortSignal; readonly stopped: () => ParleyError };

function inTime(
  { timeoutMs = defaultTimeoutMs, signal }: ConnectOptions,
  work: (limit: Limit) => Promise<void>,
): Promise<void> {
  const stopped = () =>
    signal?.aborted
      ? new ParleyError('aborted', 'The session was closed before it opened.')
      : new ParleyError('connect-timeout', `The session did not open within ${timeoutMs} ms.`, {
          retry: true,
        });
  return within(timeoutMs, signal, (until) => work({ until, stopped }));
}

async function asked(
  create: ConnectOptions['create'],
  request: SessionRequest,
  signal: AbortSignal,
): Promise<string> {
  let answer: unknown;
  try {
    answer = await create(request, { signal });
  } catch (cause) {
    const message = `Your function \`create\` failed: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new ParleyError('create-failed', message, { retry: true, cause });
  }
  const path =
    typeof answer === 'object' && answer !== null
      ? (answer as { webSocketPath?: unknown }).webSocketPath
      : answer;
  if (typeof path === 'string' && path !== '') return path;
  throw new ParleyError(
    'create-failed',
    '`create` must return the webSocketPath of a new session, or an object with it, and throw if your backend refuses.',
  );
}

function spend({ href }: URL): void {
  if (spent.has(href))
    throw new ParleyError(
      'token-reused',
      'This webSocketPath was already opened: `create` must request a new session each time.',
    );
  spent.add(href);
  if (spent.size > maxSpent) spent.delete([...spent][0] ?? '');
}

type Opening = Limit & {
  readonly events: ConnectionEvents;
  /** The event after which the session accepts input. */
  readonly readyAt: string;
};

function opened(url: URL, { until, stopped, events, readyAt }: Opening): Promise<void> {
  return new Promise((resolve, reject) => {
    if (until.aborted) {
      reject(stopped());
      return;
    }
    const socket = openSocket(url.href);
    let isReady = false;
    let liveness: Liveness | undefined;
    let told: { code?: unknown; message?: unknown } = {};
    const leave = (code?: number) => {
      liveness?.stop();
      release(socket);
      socket.close(code);
    };
    until.addEventListener('abort', () => {
      if (isReady) return;
      leave();
      reject(stopped());
    });
    const connection: Connection = {
      conversationId: url.searchParams.get('conversationId') ?? undefined,
      service: serviceIn(url),
      send(message) {
        liveness?.sent();
        socket.send(message);
      },
      close: () => leave(1000),
      leave,
    };
    const watch = () =>
      new Liveness({
        isResumable: () => events.isResumable(),
        ask: () => events.onDoubt(),
        onDead() {
          leave();
          const message = 'The service stopped answering.';
          events.onLost({ code: 1006, reason: '', message });
        },
      });
    socket.on?.('ping', () => liveness?.pinged());
    socket.onmessage = ({ data }) => {
      const value = typeof data === 'string' ? parsed(data) : undefined;
      const event = isEvent(value) ? value : undefined;
      if (event?.type === 'error') told = fields(event['error']);
      if (!isReady && event?.type === readyAt) {
        isReady = true;
        liveness = watch();
        events.onReady(connection, event);
        resolve();
      }
      if (event?.type === 'session.acknowledged') liveness?.answered();
      else liveness?.heard();
      events.onMessage(event);
    };
    // The close event that follows has the details.
    socket.onerror = () => undefined;
    socket.onclose = ({ code, reason }) => {
      liveness?.stop();
      release(socket);
      // The reason is in an event before the close.
      const message = told.code === reason ? text(told.message) : null;
      const close = { code, reason, message: message ?? undefined };
      if (isReady) events.onLost(close);
      else reject(failure(close));
    };
  });
}

/** The error of a session that did not open: the service's reason, or no response. */
function failure({ code, reason, message }: Close): ParleyError {
  const unreachable =
    'The service could not be reached: check its address, the network, and that it allows this origin.';
  const retry = sequelOf(code) !== 'end';
  if (reason === '') return new ParleyError('connect-failed', unreachable, { retry });
  return new ParleyError('refused', message ?? `The service refused: ${reason}.`, {
    reason,
    retry,
  });
}

function release(socket: Socket): void {
  socket.onopen = socket.onmessage = socket.onclose = null;
  socket.onerror = () => undefined;
}

function isEvent(value: unknown): value is RawEvent {
  return (
    typeof value === 'object' && value !== null && typeof (value as RawEvent).type === 'string'
  );
}

function orStopped<T>(
  work: Promise<T>,
  until: AbortSignal,
  stopped: () => ParleyError,
): Promise<T> {
  const stop = new Promise<never>((_resolve, reject) => {
    until.addEventListener('abort', () => reject(stopped()), { once: true });
    if (until.aborted) reject(stopped());
  });
  return Promise.race([work, stop]);
}
