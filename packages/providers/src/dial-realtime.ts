import type { LookupFunction } from 'node:net';
import { WebSocket } from 'ws';
import type { RealtimeEndpoint } from './realtime-endpoint.js';
import { connectFailure, httpRefusal } from './refusal-reason.js';

/** Echoes of long instructions and retrieved audio are far larger than what a client may send. */
export const maxProviderMessageBytes = 16 * 1024 * 1024;

/** If more than this is waiting, the provider is not reading, and pongs would only pile up. */
const maxUnreadBytes = 1024 * 1024;

const socketOptions = {
  maxPayload: maxProviderMessageBytes,
  perMessageDeflate: false,
  autoPong: false,
  followRedirects: false,
  closeTimeout: 5000,
};

/**
 * Opens a WebSocket to a provider. Nothing of the client's own handshake is forwarded: no
 * subprotocol, and no OpenAI-Beta header, which would select a protocol that the provider has
 * switched off. `onRefused` gets the reason if there is no connection; the caller decides how long
 * to wait for one. `lookup` resolves the host's name: a guard's for an address that a tenant chose.
 */
export function dialRealtime(
  endpoint: RealtimeEndpoint,
  onRefused: (reason: string) => void,
  lookup?: LookupFunction,
): WebSocket {
  const socket = new WebSocket(endpoint.url, {
    ...socketOptions,
    ...(lookup && { lookup }),
    headers: { ...endpoint.headers },
  });
  socket.on('unexpected-response', (_request, response) => {
    void httpRefusal(response).then((reason) => {
      onRefused(reason);
      socket.terminate();
    });
  });
  socket.on('ping', (data) => {
    if (socket.bufferedAmount < maxUnreadBytes) socket.pong(data);
  });
  let opened = false;
  socket.once('open', () => (opened = true));
  // Later errors end with the event 'close', which has the details.
  socket.on('error', (error) => {
    if (!opened) onRefused(connectFailure(error));
  });
  return socket;
}
