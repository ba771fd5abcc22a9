import type { Socket } from './socket.js';

export function openSocket(url: string): Socket {
  return new WebSocket(url) as Socket;
}

/** Where the service is when nobody says so. */
export function defaultBaseUrl(): string | undefined {
  return location.origin;
}
