import { connect, type Socket } from 'node:net';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { SlidingTimer } from '../relay/sliding-timer.js';
import { proofPrefix } from './peer-proof.js';

export type Piped = {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  /** host:port of the other gateway. */
  readonly address: string;
  /** Added to the request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly connectMs: number;
  /** A gateway that sends nothing for this long, not even a ping, is gone. */
  readonly silenceMs: number;
};

/** Said by a gateway that still starts, by one of another deployment, or by any other server. */
const notFound = 'HTTP/1.1 404 ';

/**
 * Passes an upgrade on to another gateway, and from then on every byte both ways. Resolves with the
 * connection, or with undefined if the client leaves before, or no gateway answers there; then nothing
 * was answered.
 */
export async function pipe(piped: Piped): Promise<Socket | undefined> {
  const { request, socket, head, address, connectMs, silenceMs } = piped;
  const { hostname, port } = new URL(`http://${address}`);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const peer = connect({ host, port: Number(port || 80), noDelay: true });
  peer.on('error', () => undefined);
  socket.once('close', () => peer.destroy());
  if (socket.destroyed) peer.destroy();
  if (!(await happens(peer, 'connect', connectMs))) return undefined;
  const lines = [`GET ${request.url ?? '/'} HTTP/1.1`, ...headerLines(piped)];
  peer.write(`${lines.join('\r\n')}\r\n\r\n`);
  peer.write(head);
  // A process that is frozen accepts connections, too.
  if (!(await happens(peer, 'readable', connectMs)) || peer.destroyed) return undefined;
  const answer = peer.read() as Buffer | null;
  if (!answer || answer.toString('latin1', 0, notFound.length) === notFound) {
    peer.destroy();
    return undefined;
  }
  peer.unshift(answer);
  const silence = new SlidingTimer(silenceMs, () => {
    // While its client does not read, nothing is read from it.
    if (!peer.isPaused()) peer.destroy();
  });
  peer.on('data', () => silence.touch(performance.now()));
  peer.once('close', () => {
    silence.stop();
    socket.destroy();
  });
  socket.pipe(peer);
  peer.pipe(socket);
  return peer;
}

/** False if the connection ends before, or it takes too long; then it is closed. */
function happens(peer: Socket, event: 'connect' | 'readable', ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (happened: boolean) => {
      clearTimeout(timer);
      peer.off(event, yes).off('close', no);
      resolve(happened);
    };
    const yes = () => done(!peer.readableEnded);
    const no = () => done(false);
    const timer = setTimeout(() => peer.destroy(), ms);
    peer.on(event, yes).on('close', no);
  });
}

function headerLines({ request, headers }: Piped): string[] {
  const { rawHeaders } = request;
  const own = rawHeaders.flatMap((name, n) =>
    n % 2 === 0 && !name.toLowerCase().startsWith(proofPrefix)
      ? [`${name}: ${rawHeaders[n + 1] ?? ''}`]
      : [],
  );
  return [...own, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
}
