// Many clients that each send audio at a fixed pace and measure the time to the answer. Without a
// pace, they stay silent until the process ends.
import { once } from 'node:events';
import { setInterval } from 'node:timers';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { quantile } from './figures.mjs';

process.on('disconnect', () => process.exit());
const [{ urls, greets, headers, width, framesPerSecond, warmSeconds, seconds, audioBytes }] =
  await once(process, 'message');
const audio = Buffer.alloc(audioBytes, 7).toString('base64');
const frame = `{"type":"input_audio_buffer.append","audio":"${audio}"}`;
const latencies = [];
const openings = [];
let [sent, received] = [0, 0];

const clients = [];
const left = urls.values();
await Promise.all(
  Array.from({ length: width }, async () => {
    for (const url of left) clients.push(await open(url));
  }),
);
process.send({ kind: 'opened', p50: quantile(openings, 0.5), p99: quantile(openings, 0.99) });
if (framesPerSecond > 0) await talk();

async function talk() {
  const pace = 1000 / framesPerSecond;
  const timers = [];
  for (const [n, client] of clients.entries())
    setTimeout(
      () => timers.push(setInterval(() => send(client), pace)),
      (n / clients.length) * pace,
    );
  await delay(warmSeconds * 1000);
  process.send({ kind: 'started' });
  latencies.length = 0;
  const before = received;
  await delay(seconds * 1000);
  process.send({ kind: 'measured', frames: received - before });
  for (const timer of timers) clearTimeout(timer);
  await delay(500);
  const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
  process.send({ kind: 'done', lost: sent - received, p50, p99 });
}

function open(url) {
  const from = performance.now();
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false, headers });
    const client = { socket, waiting: [] };
    socket.on('error', reject);
    // Parley configures the session itself; without it, the client must send something to the
    // provider.
    if (greets) socket.on('open', () => socket.send('{"type":"session.update","session":{}}'));
    socket.on('message', (data) => {
      if (data.length > frame.length) receive(client);
      else if (data.includes('session.updated')) {
        openings.push(performance.now() - from);
        resolve(client);
      }
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
