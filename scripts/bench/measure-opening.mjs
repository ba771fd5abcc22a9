// What it costs the gateway to open a session, compared to a relay that redeems a token and reads a
// row: CPU, and the time until the provider is ready.
import { setTimeout as delay } from 'node:timers/promises';
import { end } from './child.mjs';
import { middle, progress, ratio, shown, table, times } from './figures.mjs';
import { connect, frames20 } from './measure-relay.mjs';

const warmUps = 2;
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
