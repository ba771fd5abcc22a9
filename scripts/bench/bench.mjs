// Measures what Parley costs, with all its features enabled, on real Redis and PostgreSQL, and
// compares it to bare peers in alternating rounds. Ratios are comparable between machines, times are
// not. The tables go to RESULTS.md; CAPACITY.md calculates with their figures, and a test compares them.
//
//   npm run bench                      about a quarter of an hour
//   npm run bench -- --quick           every part once, briefly; prints, and writes no file
//   npm run bench -- --profile         also leaves CPU profiles of the api and the gateway in
//                                      scripts/bench/profiles
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startRedisServer, teardown, testDatabase } from '@parley/testkit';
import { end, next, start } from './child.mjs';
import { progress } from './figures.mjs';
import { measureMemory, measureRelays } from './measure-relay.mjs';
import { handshakeMs, measureOpening, measureWarm } from './measure-opening.mjs';
import { measureRest } from './measure-rest.mjs';
import { measureStored } from './measure-stored.mjs';
import {
  baseUrl,
  direct,
  startBareAdmission,
  startBareApi,
  startBareRelay,
  startHaproxy,
  startNginx,
  startParley,
  startPortkey,
} from './targets.mjs';

const { values: flags } = parseArgs({
  options: { quick: { type: 'boolean' }, profile: { type: 'boolean' } },
});
/** For each part: how much, how long, and how often. */
const scales = {
  full: {
    requests: 400,
    requestRounds: 8,
    opened: 100,
    openedRounds: 6,
    warmed: 30,
    idle: idleSessions(),
    memoryRounds: 1,
    settleSeconds: 5,
    sessions: 40,
    rounds: 3,
    seconds: 6,
    warmSeconds: 2,
    stored: 200,
    talkSeconds: 30,
    minutes: 45,
  },
  quick: {
    requests: 50,
    requestRounds: 2,
    opened: 20,
    openedRounds: 1,
    warmed: 3,
    idle: 50,
    memoryRounds: 1,
    settleSeconds: 1,
    sessions: 10,
    rounds: 1,
    seconds: 2,
    warmSeconds: 1,
    stored: 20,
    talkSeconds: 6,
    minutes: 10,
  },
};
const scale = flags.quick ? scales.quick : scales.full;
const profileFolder = flags.profile ? join(import.meta.dirname, 'profiles') : undefined;
if (profileFolder) mkdirSync(profileFolder, { recursive: true });

// Whatever hangs, the benchmark ends.
setTimeout(() => {
  console.error(`The benchmark did not end within ${scale.minutes} minutes.`);
  process.exit(1);
}, scale.minutes * 60_000).unref();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

progress('starting the stores, Parley and its peers');
const redis = await startRedisServer({});
const database = await testDatabase();
const stores = { redisUrl: redis.url, databaseUrl: database.url };
const provider = start('provider');
const { port } = await next(provider, 'port');
const providerUrl = `ws://127.0.0.1:${port}/v1/realtime?model=m`;
const { api, content, gateway, startGateway } = await startParley(providerUrl, stores, {
  profileFolder,
});
const peers = { api: await startBareApi(stores, content) };
peers.admission = await startBareAdmission(providerUrl, stores, peers.api);
const relays = {
  direct: direct(providerUrl),
  'bare ws relay': await startBareRelay(providerUrl),
  Parley: gateway,
  nginx: await startNginx(providerUrl),
  HAProxy: await startHaproxy(providerUrl),
  Portkey: await startPortkey(providerUrl),
};
const missing = Object.keys(relays).filter((name) => !relays[name]);
for (const name of missing) delete relays[name];

const parts = [
  await measureRest({ peer: peers.api, api }, scale),
  await measureOpening({ peer: peers.admission, gateway }, scale),
  await withWarmSockets(),
  await withFreshGateway((fresh) => measureMemory({ ...relays, Parley: fresh }, scale)),
  await measureRelays(relays, scale),
  await measureStored(gateway, stores, scale),
];
progress('stopping');
for (const each of [...Object.values(relays), ...Object.values(peers), api]) await each.stop();
await end(provider);
await redis.stop();
await database.drop();
await teardown();
const report = [introduction(), ...parts].join('\n');
if (!flags.quick) writeFileSync(join(import.meta.dirname, 'RESULTS.md'), report);
console.log(report);

/** A heap that has grown before would hide what sessions add to it. */
async function withFreshGateway(measure) {
  const fresh = await startGateway({});
  const part = await measure(fresh);
  await fresh.stop();
  return part;
}

async function withWarmSockets() {
  const far = start('provider', [handshakeMs]);
  const { port } = await next(far, 'port');
  const PROVIDER_BASE_URL = baseUrl(`ws://127.0.0.1:${port}/v1/realtime`);
  const gateways = {
    'dialled when needed': await startGateway({ PROVIDER_BASE_URL }),
    'PROVIDER_WARM_SOCKETS=2': await startGateway({
      PROVIDER_BASE_URL,
      PROVIDER_WARM_SOCKETS: '2',
    }),
  };
  const part = await measureWarm(gateways, scale);
  for (const each of Object.values(gateways)) await each.stop();
  await end(far);
  return part;
}

function introduction() {
  const [{ model }] = cpus();
  return `# What Parley costs

\`npm run bench\` wrote this on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} cores (${model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}.

Parley runs with Redis and PostgreSQL, the record, a tool, metrics, and logs at info: every five seconds of talk end an answer that is stored and announced. Its peers do as little as possible, and take turns with it. CPU is user and system time of the process. Ratios are medians of the rounds, each to the peer's figure of the same round.${
    missing.length === 0 ? '' : ` Not installed there, and not compared: ${missing.join(', ')}.`
  }
`;
}

/** A session takes two of a relay's files. */
function idleSessions() {
  const [, files] = /Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return Math.min(2000, Math.floor((Number(files ?? 1024) - 200) / 2));
}
