// One fault, from an empty cluster to an empty cluster.
import { setTimeout as delay } from 'node:timers/promises';
import { Population } from './population.mjs';
import { brokenPromises } from './promises.mjs';
import { randomOf } from './random.mjs';

/** Some turns before anything fails. */
const warmUpMs = 1500;

/** What was tried, what survived, and which promises were broken. */
export async function runScenario(name, scenario, { stage, baseline, seed, size }) {
  // As it stands in the URLs of tools.
  const plain = name.replaceAll('+', 'plus').replaceAll(' ', '-');
  const population = new Population(stage, { seed, name: plain });
  const random = randomOf(seed, name);
  await scenario.prepare?.({ stage, random });
  let broken;
  try {
    await population.arrive(size);
    await delay(warmUpMs);
    const owners = await stage.owners();
    const fault = await undergo(scenario, { stage, population, random });
    await stage.settled();
    await population.rest();
    await population.probe();
    broken = unexpectedEnds(population, { scenario, owners, fault });
  } finally {
    await population.leave();
    await scenario.restore?.({ stage });
  }
  const { ledger } = population;
  broken.push(...(await brokenPromises({ stage, scenario, ledger, baseline })));
  return { ...countsOf(population), broken };
}

async function undergo(scenario, context) {
  const fault = await scenario.start?.(context);
  try {
    await delay(scenario.seconds * 1000);
  } finally {
    await fault?.stop?.();
  }
  return fault;
}

/** Exactly those sessions are lost that the fault takes away, and with the right close codes. */
function unexpectedEnds({ clients }, { scenario, owners, fault }) {
  const reasons = clients.flatMap((client) => {
    const owner = owners.get(client.conversationId);
    const allowed = scenario.lost?.(client, { ...fault, owner });
    const kind = client.resumable ? 'resumable' : 'plain';
    if (allowed === undefined)
      return client.isOpen ? [] : [`${client.name} (${kind}) was lost: ${client.end}`];
    if (client.isOpen && !allowed.includes('none'))
      return [`${client.name} (${kind}) was to be lost`];
    if (client.isOpen || allowed.includes(client.end)) return [];
    return [`${client.name} (${kind}) was lost with ${client.end}, not ${allowed.join(' or ')}`];
  });
  return reasons.length === 0 ? [] : [{ name: 'exactly these sessions are lost', reasons }];
}

function countsOf({ clients, newcomers, ledger }) {
  const ends = new Map();
  let lost = 0;
  for (const { survived, end } of clients.map(outcomeOf))
    if (!survived) {
      lost += 1;
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
  const accepted = [...ledger.writes.values()].filter(Boolean).length;
  return {
    tried: clients.length,
    survived: clients.length - lost,
    lost: lost === 0 ? '0' : `${lost} (${[...ends].map(([end, n]) => `${n} × ${end}`).join(', ')})`,
    restored: clients.filter(({ restores }) => restores > 0).length,
    renewed: clients.filter(({ renewals }) => renewals > 0).length,
    turns: clients.reduce((sum, { turns }) => sum + turns, 0),
    bills: ledger.bills.size,
    writes: `${accepted}/${ledger.writes.size}`,
    newcomers: `${newcomers.opened}/${newcomers.tried}`,
  };
}

/** Everybody leaves in the end, with 1000. */
function outcomeOf({ end }) {
  return { survived: end === 1000, end };
}
