import { connect, type Socket } from 'node:net';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
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
};

/**
 * Passes an upgrade on to another gateway, and from then on every byte both ways. Resolves with the
 * connection, or with undefined if the other gateway cannot be reached; then nothing was answered.
 */
export async function pipe(piped: Piped): Promise<Socket | undefined> {
  const { request, socket, head, address, connectMs } = piped;
  const { hostname, port } = new URL(`http://${address}`);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const peer = connect({ host, port: Number(port || 80), noDelay: true });
  if (!(await connects(peer, connectMs))) return undefined;
  const lines = [`GET ${request.url ?? '/'} HTTP/1.1`, ...headerLines(piped)];
  peer.write(`${lines.join('\r\n')}\r\n\r\n`);
  peer.write(head);
  socket.once('close', () => peer.destroy());
  peer.once('close', () => socket.destroy());
  socket.pipe(peer);
  peer.pipe(socket);
  return peer;
}

function connects(peer: Socket, connectMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => peer.destroy(), connectMs);
    peer.on('error', () => undefined);
    peer.once('connect', () => {
      clearTimeout(timer);
      resolve(true);
    });
    peer.once('close', () => {
      clearTimeout(timer);
      resolve(false);
    });
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
