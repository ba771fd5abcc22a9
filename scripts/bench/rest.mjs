// What a request costs the api: CPU time of its process for a GET of an agent and for the creation
// of a session, compared to a plain express app with the same stores (peers/rest.mjs), in
// alternating rounds of the same run. Ratios are comparable between machines, times are not.
//
//   npm run bench:rest                 ROUNDS, REQUESTS and CONNECTIONS change the load;
//                                      API_OPTIONS are the api's NODE_OPTIONS
import { fork } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { startPostgresServer, startRedisServer, teardown } from '@parley/testkit';
import { AppProcess } from '../../deploy/dist-test/support/app-process.js';

const warmUps = 6;
const rounds = setting('ROUNDS', 15);
const load = { requests: setting('REQUESTS', 400), connections: setting('CONNECTIONS', 8) };

const postgres = await startPostgresServer();
const redis = await startRedisServer({});
const targets = { peer: await startPeer(), api: await startApi() };
const kinds = {
  'a GET of an agent': (agent) => ({ method: 'GET', path: `/api/v1/Agent/${agent}` }),
  'a session created': (agent) => ({
    method: 'POST',
    path: `/api/v1/Agent/${agent}/realtime-session`,
    body: '{}',
  }),
};

const rows = {};
for (const [kind, toAgent] of Object.entries(kinds)) {
  const spent = { peer: [], api: [] };
  // Rounds before the code is compiled do not count.
  for (let round = -warmUps; round < rounds; round += 1)
    for (const [name, target] of Object.entries(targets)) {
      const before = await target.cpuMs();
      const ended = await send(target, toAgent(target.agent));
      const ms = ((await target.cpuMs()) - before) / load.requests;
      if (round >= 0) spent[name].push({ ms, ...ended });
    }
  const ratios = spent.api.map(({ ms }, n) => ({ ratio: ms / spent.peer[n].ms }));
  rows[kind] = {
    'peer ms': rounded(middle(spent.peer, 'ms')),
    'api ms': rounded(middle(spent.api, 'ms')),
    ratio: rounded(middle(ratios, 'ratio')),
    'least ratio': rounded(Math.min(...ratios.map(({ ratio }) => ratio))),
    'peer p50 ms': rounded(middle(spent.peer, 'p50')),
    'api p50 ms': rounded(middle(spent.api, 'p50')),
    'api per s': Math.round(middle(spent.api, 'perSecond')),
  };
}
console.log(
  `CPU per request; ${rounds} rounds of ${load.requests} requests on ${load.connections} connections; Node ${process.version}, ${process.arch}`,
);
console.table(rows);
await Promise.all(Object.values(targets).map((target) => target.stop()));
await teardown();

async function startPeer() {
  const child = fork(join(import.meta.dirname, 'peers/rest.mjs'), [postgres.url, redis.url]);
  const [{ port, key, tenant, agent }] = await once(child, 'message');
  return {
    port,
    agent,
    headers: { 'X-Api-Key': key, 'X-Org-Id': tenant },
    async cpuMs() {
      child.send('cpu');
      const [{ microseconds }] = await once(child, 'message');
      return microseconds / 1000;
    },
    stop: () => child.kill(),
  };
}

async function startApi() {
  const [key, tenant] = [randomBytes(24).toString('hex'), randomUUID()];
  const app = await AppProcess.start('api', {
    LOG_LEVEL: 'info',
    REDIS_URL: redis.url,
    DATABASE_URL: postgres.url,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    PROVIDER_API_KEY: 'sk-none',
    BOOTSTRAP_ORG_ID: tenant,
    BOOTSTRAP_API_KEY: key,
    RATE_LIMIT_PER_MINUTE: '1000000',
    RATE_LIMIT_SESSIONS_PER_MINUTE: '1000000',
    DRAIN_LAG_SECONDS: '0',
    NODE_OPTIONS: process.env.API_OPTIONS ?? '',
  });
  await app.ready();
  const headers = { 'X-Api-Key': key, 'X-Org-Id': tenant };
  const response = await fetch(`${app.origin}/api/v1/Agent`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Ada', systemMessage: 'Be kind.' }),
  });
  const { id } = await response.json();
  return {
    port: app.port,
    agent: id,
    headers,
    cpuMs: async () => (await app.metric('process_cpu_seconds_total')) * 1000,
    stop: () => app.term(),
  };
}

/** Sends as many requests at a time as there are connections, which stay open. */
async function send({ port, headers }, { body, ...target }) {
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections });
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const options = { host: '127.0.0.1', port, agent, headers: { ...headers, ...type }, ...target };
  const times = [];
  const from = performance.now();
  let left = load.requests;
  const work = async () => {
    while (left-- > 0) {
      const started = performance.now();
      const [response] = await once(request(options).end(body), 'response');
      if (response.statusCode !== 200) throw new Error(`${target.path}: ${response.statusCode}`);
      await once(response.resume(), 'end');
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: load.connections }, work));
  agent.destroy();
  const perSecond = (load.requests / (performance.now() - from)) * 1000;
  return { p50: times.sort((a, b) => a - b)[times.length >> 1], perSecond };
}

function middle(list, field) {
  return list.map((one) => one[field]).sort((a, b) => a - b)[list.length >> 1];
}

function rounded(value) {
  return Number(value.toPrecision(3));
}

function setting(name, fallback) {
  return Number(process.env[name] ?? fallback);
}
