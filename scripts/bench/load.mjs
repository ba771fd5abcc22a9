// Many clients that each send audio at a fixed rate and time the responses.
import { setInterval } from 'node:timers';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';

const { url, sessions, framesPerSecond, seconds, audioBytes } = JSON.parse(process.argv[2]);
const id = '00000000-0000-4000-8000-000000000000';
const path = `/api/v1/Agent/${id}/realtime?conversationId=${id}&sessionId=${'x'.repeat(43)}`;
const audio = Buffer.alloc(audioBytes, 7).toString('base64');
const frame = `{"type":"input_audio_buffer.append","audio":"${audio}"}`;
const latencies = [];
let [sent, received, announced] = [0, 0, 0];

const clients = await Promise.all(Array.from({ length: sessions }, open));
const pace = 1000 / framesPerSecond;
const timers = [];
for (const [n, client] of clients.entries())
  setTimeout(() => timers.push(setInterval(() => send(client), pace)), (n / sessions) * pace);
await delay(2000);
process.send({ kind: 'started' });
latencies.length = 0;
const before = received;
await delay(seconds * 1000);
const frames = received - before;
for (const timer of timers) clearTimeout(timer);
await delay(200);
latencies.sort((a, b) => a - b);
const quantile = (q) => Number(latencies[Math.floor(latencies.length * q)].toFixed(2));
process.send({
  kind: 'done',
  frames,
  lost: sent - received,
  announced,
  p50: quantile(0.5),
  p99: quantile(0.99),
});

function open() {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url + path, { perMessageDeflate: false });
    const client = { socket, waiting: [] };
    socket.on('error', reject);
    socket.on('message', (data) => {
      if (data.length > frame.length) receive(client);
      else if (data.includes('"response.completed"')) announced += 1;
      else if (data.includes('session.updated')) resolve(client);
    });
  });
}

function send({ socket, waiting }) {
  waiting.push(performance.now());
  socket.send(frame);
  sent += 1;
}

function receive({ waiting }) {
  latencies.push(performance.now() - waiting.shift());
  received += 1;
}
