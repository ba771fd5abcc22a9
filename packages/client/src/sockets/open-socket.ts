import type { Socket } from './socket.js';

/**
 * Browsers, Deno, Bun and newer versions of Node have a WebSocket; the entry point for Node
 * provides one.
 */
let open = (url: string): Socket => new WebSocket(url) as Socket;

export function openSocket(url: string): Socket {
  return open(url);
}

export function openSocketsWith(opener: (url: string) => Socket): void {
  open = opener;
}
