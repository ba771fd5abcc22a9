// Clients for a process that is stopped: they report once they are open, and how they are when asked.
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from './client.mjs';
import { Ledger } from './ledger.mjs';
import { randomOf } from './random.mjs';
import { createRest } from './rest.mjs';

const [origin, agentId, credentials, count] = process.argv.slice(2);
const stage = { origin, agentId, ask: createRest(origin, JSON.parse(credentials)) };
const clients = Array.from(
  { length: Number(count) },
  (_, n) =>
    new Client({
      ...{ name: `paused-${n}`, resumable: n % 2 === 0, random: randomOf('paused', n) },
      ...{ stage, ledger: new Ledger() },
    }),
);
await Promise.all(clients.map((client) => client.open()));
for (const client of clients) client.say('!delay 300 !burst 30000000 !say Done.');
process.send('open');
process.once('message', async () => {
  // What the network held back comes first.
  await delay(1000);
  await Promise.all(clients.filter(({ isOpen }) => isOpen).map((client) => client.turn()));
  const ends = clients.map(({ resumable, end }) => ({ resumable, end }));
  await Promise.all(clients.map((client) => client.leave()));
  process.send(ends);
});
process.once('disconnect', () => process.exit());
