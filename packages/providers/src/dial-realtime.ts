import type { LookupFunction } from 'node:net';
import { WebSocket } from 'ws';
import type { RealtimeEndpoint } from './realtime-endpoint.js';
import { connectFailure, httpRefusal } from './refusal-reason.js';

/** Echoes of long instructions and retrieved audio are far larger than what a client may send. */
export const maxProviderMessageBytes = 16 * 1024 * 1024;

/** More than this waiting for a provider means that it does not read: pongs would only pile up here. */
const maxUnreadBytes = 1024 * 1024;

const socketOptions = {
  maxPayload: maxProviderMessageBytes,
  perMessageDeflate: false,
  autoPong: false,
  followRedirects: false,
  closeTimeout: 5000,
};

/**
 * Opens a WebSocket to a provider. Nothing of the client's own handshake goes along: no subprotocol, and no OpenAI-Beta
 * header, which would select a protocol that the provider has switched off. `onRefused` is told why there is no
 * connection; how long to wait for one is the caller's to decide. `lookup` resolves the host's name: a guard's for an address that a
 * tenant gave.
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
  // What goes wrong later ends with the event 'close', which says what matters.
  socket.on('error', (error) => {
    if (!opened) onRefused(connectFailure(error));
  });
  return socket;
}
