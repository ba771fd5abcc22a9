// The minimal WebSocket relay: no admission, no limits, no parsing of frames.
import { WebSocket, WebSocketServer } from 'ws';
import { report } from './report.mjs';

const upstream = `${process.argv[2].replace('http', 'ws')}/realtime?model=m`;
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
server.on('listening', () => report(server.address().port));
server.on('connection', (client) => {
  client.pause();
  const provider = new WebSocket(upstream, { perMessageDeflate: false });
  provider.on('open', () => {
    provider.send('{"type":"session.update","session":{}}');
    client.resume();
  });
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
