import type { Socket } from './socket.js';
import { WebSocket } from './ws.js';

export function openSocket(url: string): Socket {
  return new WebSocket(url, { perMessageDeflate: false });
}

export function defaultBaseUrl(): undefined {
  return undefined;
}
