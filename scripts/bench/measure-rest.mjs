// What a request costs the api, compared to a plain express app with the same stores
// (peers/rest.mjs): CPU of the process, and latency.
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { middle, progress, quantile, ratio, shown, table, times } from './figures.mjs';

const warmUps = 16;
const connections = 8;
/** How many agents the list has. */
export const listed = 50;

const kinds = {
  'a GET of an agent': (agent) => ({ method: 'GET', path: `/api/v1/Agent/${agent}` }),
  'a list of 50 agents': () => ({ method: 'GET', path: `/api/v1/Agent?Limit=${listed}` }),
  'a session created': (agent) => ({
    method: 'POST',
    path: `/api/v1/Agent/${agent}/realtime-session`,
    body: '{}',
  }),
};

export async function measureRest(targets, { requests, requestRounds }) {
  const rows = [];
  for (const [kind, toAgent] of Object.entries(kinds)) {
    const spent = { peer: [], api: [] };
    for (let round = 1 - warmUps; round <= requestRounds; round += 1)
      for (const [name, target] of Object.entries(targets)) {
        const before = await target.used();
        const latency = await send(target, toAgent(target.agent), requests);
        const after = await target.used();
        const ms = ((after.seconds - before.seconds) * 1000) / requests;
        // Rounds before the code is compiled do not count.
        if (round > 0) spent[name].push({ ms, ...latency });
      }
    const { peer, api } = spent;
    const cells = (field) => `${shown(middle(api, field))} ms, peer ${shown(middle(peer, field))}`;
    const compared = times(ratio(api, peer, 'ms'));
    progress(`${kind}: ${cells('ms')}, ${compared}`);
    rows.push([kind, cells('ms'), compared, cells('p50'), cells('p99')]);
  }
  return `## REST

${table(['', 'CPU of the api', 'times the peer', 'p50', 'p99'], rows)}

Medians of ${requestRounds} rounds of ${requests} requests on ${connections} connections. The peer is an express app that answers with the same agents, after a key look-up, a rate limit and one SELECT, for a session also an INSERT and a SET.
`;
}

/** Sends as many requests at a time as there are connections, which stay open. */
async function send({ port, headers }, { body, ...target }, requests) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const options = { host: '127.0.0.1', port, agent, headers: { ...headers, ...type }, ...target };
  const latencies = [];
  let left = requests;
  const work = async () => {
    while (left-- > 0) {
      const started = performance.now();
      const [response] = await once(request(options).end(body), 'response');
      if (response.statusCode !== 200) throw new Error(`${target.path}: ${response.statusCode}`);
      await once(response.resume(), 'end');
      latencies.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  agent.destroy();
  return { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) };
}
