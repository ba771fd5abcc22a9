// What is compared: the relays, the peers of the api and of admission, and Parley itself. Each
// reports where it is and what its processes have used. All of them run throughout, so that each is
// warm when its turn comes.
import { execFileSync, fork, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { waitFor } from '@parley/testkit';
import { AppProcess, listeningPort } from '../../deploy/dist-test/support/app-process.js';
import { inParallel } from '../../deploy/dist-test/support/proof-scale.js';
import { ServiceClient } from '../../deploy/dist-test/support/service-client.js';
import { listed } from './measure-rest.mjs';

/**
 * Node 24 sizes the young part of its heap by the memory that it finds. This is what it has in a
 * container of 1 GiB, which is the chart's limit for a gateway, and on Node 20 anywhere.
 */
const young = '--max-semi-space-size=16';
const execArgv = [young];
const profiler = join(import.meta.dirname, 'profile.mjs');

/** Without a relay: any difference from this is due to the relay. */
export function direct(providerUrl) {
  return {
    greets: true,
    urls: async (count) => Array(count).fill(providerUrl),
    used: async () => ({ seconds: 0, bytes: 0 }),
    stop: async () => {},
  };
}

export async function startBareRelay(providerUrl) {
  const child = fork(join(import.meta.dirname, 'peers/relay.mjs'), [providerUrl], { execArgv });
  const [{ port }] = await once(child, 'message');
  return program(child, `ws://127.0.0.1:${port}/`);
}

/** The same relay, with a token and a row for each session. */
export async function startBareAdmission(providerUrl, { databaseUrl, redisUrl }, { agent }) {
  const args = [providerUrl, databaseUrl, redisUrl];
  const child = fork(join(import.meta.dirname, 'peers/relay.mjs'), args, { execArgv });
  const [{ port }] = await once(child, 'message');
  const redis = new Redis(redisUrl);
  const { stop, ...relay } = program(child, '');
  return {
    ...relay,
    urls: (count) =>
      inParallel({ count, width: 8 }, async () => {
        const token = randomBytes(32).toString('base64url');
        await redis.set(`peer:token:${token}`, JSON.stringify({ agent }), 'EX', 60);
        return `ws://127.0.0.1:${port}/${token}`;
      }),
    async stop() {
      redis.disconnect();
      await stop();
    },
  };
}

/** With as many agents as Parley has, of the same content. */
export async function startBareApi({ databaseUrl, redisUrl }, content) {
  const args = [databaseUrl, redisUrl, listed, JSON.stringify(content)];
  const child = fork(join(import.meta.dirname, 'peers/rest.mjs'), args, { execArgv });
  const [{ port, key, tenant, agent }] = await once(child, 'message');
  const { used, stop } = program(child, '');
  return { port, agent, headers: { 'X-Api-Key': key, 'X-Org-Id': tenant }, used, stop };
}

/** Undefined if it is not installed. */
export async function startNginx(providerUrl) {
  const port = await listeningPort();
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const { host, pathname } = new URL(providerUrl);
  const config = `worker_processes 1; daemon off; pid ${folder}/pid; error_log stderr;
    events { worker_connections 8000; }
    http { access_log off; server { listen 127.0.0.1:${port}; location / {
      proxy_pass http://${host}; proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection upgrade; proxy_read_timeout 600s; } } }`;
  return proxy({ command: 'nginx', flags: ['-c'], config, folder, port, pathname });
}

export async function startHaproxy(providerUrl) {
  const port = await listeningPort();
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const { host, pathname } = new URL(providerUrl);
  const config = `global
  nbthread 1
  maxconn 8000
defaults
  mode http
  timeout connect 5s
  timeout client 600s
  timeout server 600s
  timeout tunnel 600s
frontend f
  bind 127.0.0.1:${port}
  default_backend b
backend b
  server s ${host}
`;
  return proxy({ command: 'haproxy', flags: ['-db', '-f'], config, folder, port, pathname });
}

/**
 * The AI gateway, if PORTKEY names its program (build/start-server.js of @portkey-ai/gateway). It
 * always dials OpenAI for realtime sessions, so a preload sends that to the provider.
 */
export async function startPortkey(providerUrl) {
  const { PORTKEY: file } = process.env;
  if (file === undefined) return undefined;
  const port = await listeningPort();
  const preload = join(import.meta.dirname, 'peers/portkey-upstream.cjs');
  const child = spawn(
    process.execPath,
    ['--require', preload, file, `--port=${port}`, '--headless'],
    { stdio: 'ignore', env: { ...process.env, PROVIDER_PORT: new URL(providerUrl).port } },
  );
  process.once('exit', () => child.kill());
  const origin = `http://127.0.0.1:${port}`;
  await waitFor(() => fetch(origin).then(Boolean, () => false), { what: 'Portkey' });
  const headers = { 'x-portkey-provider': 'openai', authorization: 'Bearer sk-bench' };
  const url = `${origin.replace('http', 'ws')}/v1/realtime?model=m`;
  return { ...program(child, url), headers };
}

/**
 * The api and the gateway as deployed: separate processes, tokens from the api, the record, a tool,
 * metrics, and logs at info.
 */
export async function startParley(providerUrl, { databaseUrl, redisUrl }, { profileFolder }) {
  const credentials = { organizationId: randomUUID(), apiKey: randomBytes(24).toString('hex') };
  const settings = {
    REDIS_URL: redisUrl,
    DATABASE_URL: databaseUrl,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    PROVIDER_KIND: 'openai-compatible',
    PROVIDER_BASE_URL: baseUrl(providerUrl),
    PROVIDER_API_KEY: 'sk-bench',
    BOOTSTRAP_ORG_ID: credentials.organizationId,
    BOOTSTRAP_API_KEY: credentials.apiKey,
    ...{ RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_SESSIONS_PER_MINUTE: '1000000' },
    ...{ QUOTA_REALTIME_SESSIONS: '1000000', REALTIME_MAX_SESSIONS: '10000' },
    ...{ REALTIME_IDLE_TIMEOUT_SECONDS: '600', DRAIN_TIMEOUT_SECONDS: '4', LOG_LEVEL: 'info' },
    DRAIN_LAG_SECONDS: '0',
    NODE_OPTIONS: [young, ...(profileFolder ? [`--import ${profiler}`] : [])].join(' '),
    ...(profileFolder && { PROFILE_FOLDER: profileFolder }),
  };
  const api = await (await AppProcess.start('api', settings)).ready();
  const client = new ServiceClient(api.origin, credentials);
  const agent = await client.createAgent([tool]);
  for (let more = 1; more < listed; more += 1) await client.createAgent([tool]);
  const issue = () => client.issue(agent);
  const headers = { 'X-Api-Key': credentials.apiKey, 'X-Org-Id': credentials.organizationId };
  const read = await fetch(`${api.origin}/api/v1/Agent/${agent}`, { headers });
  return {
    content: await read.json(),
    api: {
      port: api.port,
      agent,
      headers,
      used: async () => usedBy(api.pid),
      stop: () => api.term(),
    },
    gateway: await startGateway(settings, issue),
    /** Another gateway, with other settings. */
    startGateway: (changed) => startGateway({ ...settings, ...changed }, issue),
  };
}

async function startGateway(settings, issue) {
  const gateway = await (await AppProcess.start('realtime-gateway', settings)).ready();
  const origin = gateway.origin.replace('http', 'ws');
  return {
    greets: false,
    urls: (count) => inParallel({ count, width: 8 }, async () => origin + (await issue())),
    used: async () => usedBy(gateway.pid),
    stop: () => gateway.term(),
  };
}

/** As a setting takes it. */
export function baseUrl(providerUrl) {
  return providerUrl.replace('ws', 'http').replace(/\/realtime.*/, '');
}

const tool = {
  kind: 'http',
  name: 'lookup',
  description: 'Looks something up.',
  method: 'POST',
  url: 'https://example.com/lookup',
  parameters: { type: 'object', properties: {} },
};

async function proxy({ command, flags, config, folder, port, pathname }) {
  if (!isInstalled(command)) return undefined;
  const file = join(folder, 'config');
  writeFileSync(file, config);
  const child = spawn(command, [...flags, file], { stdio: 'ignore' });
  child.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.once('exit', () => child.kill());
  const origin = `http://127.0.0.1:${port}`;
  await waitFor(() => fetch(origin).then(Boolean, () => false), { what: command });
  return program(child, origin.replace('http', 'ws') + pathname);
}

function program(child, url) {
  return {
    greets: true,
    urls: async (count) => Array(count).fill(url),
    used: async () => usedBy(child.pid),
    async stop() {
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    },
  };
}

function isInstalled(command) {
  try {
    execFileSync('sh', ['-c', `command -v ${command}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const pageBytes = 4096;

/** CPU time and resident memory of a process and its children. */
function usedBy(pid) {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const family = all.map(statOf).filter((stat) => stat?.pid === pid || stat?.parent === pid);
  const sum = (field) => family.reduce((total, stat) => total + stat[field], 0);
  return { seconds: sum('seconds'), bytes: sum('bytes') };
}

function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return {
      pid: Number(pid),
      parent: fields[1],
      seconds: secondsOf(`/proc/${pid}/task`),
      bytes: fields[21] * pageBytes,
    };
  } catch {
    return undefined;
  }
}

/** To the nanosecond; what `stat` itself counts are hundredths of a second. */
function secondsOf(threads) {
  const spent = readdirSync(threads).map((thread) =>
    Number(readFileSync(join(threads, thread, 'schedstat'), 'utf8').split(' ')[0]),
  );
  return spent.reduce((total, nanoseconds) => total + nanoseconds, 0) / 1e9;
}
