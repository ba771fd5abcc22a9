import type { Socket } from './socket.js';

/** The bundled `ws` package, because Node 20 has no built-in WebSocket. */
declare const WebSocket: new (url: string, options: object) => Socket;
export { WebSocket };
