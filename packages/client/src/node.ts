import { openSocketsWith } from './sockets/open-socket.js';
import { WebSocket } from './sockets/ws.js';

openSocketsWith((url) => new WebSocket(url, { perMessageDeflate: false }));

export * from './index.js';
