import { WebSocket, WebSocketServer } from 'ws';

/**
 * The client's side of a session. ws closes a socket by itself when a frame breaks the rules of the protocol, and calls
 * close with a code alone; the session is told first, so that it can say why.
 */
export class ClientSocket extends WebSocket {
  onViolation: ((code: number) => void) | undefined;

  override close(code?: number, reason?: string | Buffer): void {
    if (code !== undefined && reason === undefined) this.onViolation?.(code);
    super.close(code, reason);
  }
}

/** How a browser hands over a key, which it cannot put into a header. */
export const keyProtocol = 'openai-insecure-api-key.';
/** What clients of OpenAI speak, whatever else they offer. */
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
    // A subprotocol that carries a key is never repeated in the answer.
    handleProtocols: (offered: Set<string>) =>
      offered.has(spoken)
        ? spoken
        : ([...offered].find((name) => !name.startsWith(keyProtocol)) ?? false),
  };
  return new WebSocketServer(options);
}
