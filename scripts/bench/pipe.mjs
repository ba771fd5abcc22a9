// The minimal WebSocket relay: no admission, no limits, no parsing of frames.
import { WebSocket, WebSocketServer } from 'ws';

process.on('disconnect', () => process.exit());
const upstream = process.argv[2];
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
server.on('listening', () => process.send({ kind: 'port', port: server.address().port }));
server.on('connection', (client) => {
  client.pause();
  const provider = new WebSocket(upstream, { perMessageDeflate: false });
  provider.on('open', () => client.resume());
  client.on('message', (data, binary) => provider.send(data, { binary }));
  provider.on('message', (data, binary) => client.send(data, { binary }));
  for (const [one, other] of [
    [client, provider],
    [provider, client],
  ]) {
    one.on('close', () => other.terminate());
    one.on('error', () => undefined);
  }
});
