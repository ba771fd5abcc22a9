// What it costs the gateway to open a session, compared to a relay that redeems a token and reads a
// row: CPU, and the time until the provider is ready.
import { setTimeout as delay } from 'node:timers/promises';
import { end } from './child.mjs';
import { median, middle, progress, quantile, ratio, shown, table, times } from './figures.mjs';
import { connect, frames20 } from './measure-relay.mjs';

const warmUps = 16;
const silent = { ...frames20, framesPerSecond: 0, width: 4 };

export async function measureOpening(targets, { opened, openedRounds }) {
  const results = { peer: [], gateway: [] };
  for (let round = 1 - warmUps; round <= openedRounds; round += 1)
    for (const [name, target] of Object.entries(targets)) {
      const row = await openingOf(target, opened);
      progress(`round ${round}/${openedRounds}, opening, ${name}: ${shown(row.ms)} ms of CPU`);
      // Rounds before the code is compiled do not count.
      if (round > 0) results[name].push(row);
    }
  const { peer, gateway } = results;
  const cells = (rows) => ['ms', 'p50', 'p99'].map((field) => `${shown(middle(rows, field))} ms`);
  const rows = [
    ['bare relay with a token and a row', ...cells(peer), '1x'],
    ['gateway', ...cells(gateway), times(ratio(gateway, peer, 'ms'))],
  ];
  return `## Opening a session

${table(['', 'CPU per session', 'p50 until it is ready', 'p99', 'CPU, times the bare relay'], rows)}

${opened} sessions in each of ${openedRounds} rounds, ${silent.width} at a time.
`;
}

/** How long a provider takes that is not next door. */
export const handshakeMs = 100;
const pauseMs = 300;

/** With sockets that wait, and without: sessions that come one after the other. */
export async function measureWarm(gateways, { warmed }) {
  const rows = [];
  for (const [name, gateway] of Object.entries(gateways)) {
    await openingOf(gateway, 4);
    const waits = [];
    for (let n = 0; n < warmed; n += 1) {
      const client = await connect(gateway, 1, silent);
      waits.push(client.opened.p50);
      await end(client);
      await delay(pauseMs);
    }
    progress(`opening, ${name}: ${shown(median(waits))} ms`);
    rows.push([name, `${shown(median(waits))} ms`, `${shown(quantile(waits, 0.99))} ms`]);
  }
  return `## Warm sockets

${table(['', 'p50 until a session is ready', 'p99'], rows)}

${warmed} sessions, one after the other, with a provider whose handshake takes ${handshakeMs} ms.
`;
}

async function openingOf(target, count) {
  const urls = await target.urls(count);
  const before = await target.used();
  const client = await connect({ ...target, urls: async () => urls }, count, silent);
  const after = await target.used();
  await end(client);
  // The ends of the sessions are written.
  await delay(1500);
  const { p50, p99 } = client.opened;
  return { ms: ((after.seconds - before.seconds) * 1000) / count, p50, p99 };
}
