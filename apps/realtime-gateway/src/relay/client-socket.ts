import { WebSocket, WebSocketServer } from 'ws';

/**
 * The client's side of a session. If a frame violates the protocol, ws closes the socket itself,
 * with a code alone. The session is notified first, so that it can send a reason.
 */
export class ClientSocket extends WebSocket {
  onViolation: ((code: number) => void) | undefined;

  override close(code?: number, reason?: string | Buffer): void {
    if (code !== undefined && reason === undefined) this.onViolation?.(code);
    super.close(code, reason);
  }
}

/** How a browser sends a key, which it cannot put into a header. */
export const keyProtocol = 'openai-insecure-api-key.';
/** The subprotocol of OpenAI clients, whatever else they offer. */
const spoken = 'realtime';

export type SocketServer = ReturnType<typeof createSocketServer>;

export function createSocketServer(maxMessageBytes: number) {
  const options = {
    noServer: true,
    clientTracking: false,
    WebSocket: ClientSocket,
    maxPayload: maxMessageBytes,
    maxFragments: 256,
    maxBufferedChunks: 4096,
    perMessageDeflate: false,
    autoPong: false,
    closeTimeout: 5000,
    // The response never repeats a subprotocol that carries a key.
    handleProtocols: (offered: Set<string>) =>
      offered.has(spoken)
        ? spoken
        : ([...offered].find((name) => !name.startsWith(keyProtocol)) ?? false),
  };
  return new WebSocketServer(options);
}
