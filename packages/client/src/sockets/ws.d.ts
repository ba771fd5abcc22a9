import type { Socket } from './socket.js';

/** The package `ws`, bundled: Node 20 has no WebSocket of its own. */
declare const WebSocket: new (url: string, options: object) => Socket;
export { WebSocket };
