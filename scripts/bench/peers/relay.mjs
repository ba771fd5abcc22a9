// The minimal WebSocket relay: no limits, no parsing of frames, no admission. With stores, it
// redeems a token and reads a row before it opens a session, which is the minimum for admission.
//
//   node relay.mjs PROVIDER_URL [DATABASE_URL REDIS_URL]
import { createServer } from 'node:http';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { WebSocket, WebSocketServer } from 'ws';

process.on('disconnect', () => process.exit());
const [providerUrl, databaseUrl, redisUrl] = process.argv.slice(2);
const options = { perMessageDeflate: false, skipUTF8Validation: true };
const sockets = new WebSocketServer({ noServer: true, ...options });
const admit = databaseUrl === undefined ? () => true : await admission();
const server = createServer().on('upgrade', async (request, socket, head) => {
  socket.on('error', () => undefined);
  if (await admit(request)) sockets.handleUpgrade(request, socket, head, relay);
  else socket.destroy();
});
server.listen(0, '127.0.0.1', () => process.send({ kind: 'port', port: server.address().port }));

async function admission() {
  const redis = new Redis(redisUrl);
  const pool = new Pool({ connectionString: databaseUrl, max: 10 });
  pool.on('error', () => undefined);
  const find = { name: 'agent', text: 'select id, content from peer_agents where id = $1' };
  return async ({ url }) => {
    const ticket = await redis.getdel(`peer:token:${url.slice(1)}`);
    if (ticket === null) return false;
    const { rows } = await pool.query({ ...find, values: [JSON.parse(ticket).agent] });
    return rows.length > 0;
  };
}

function relay(client) {
  client.pause();
  const provider = new WebSocket(providerUrl, options);
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
}
