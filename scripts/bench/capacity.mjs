// How the stores behave when they are full: the real scripts with many issued tokens and live
// sessions, the real tables and queries with many waiting approvals. Prints memory, latency and
// query plans, from which CAPACITY.md draws its conclusions.
//
//   npm run bench:capacity                    TOKENS, LIVE and APPROVALS change how many there are
//   TOKENS=1000000 LIVE=100000 APPROVALS=100000 npm run bench:capacity
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import {
  approvalBacklog,
  connectDatabase,
  decideToolCall,
  expireDueApprovals,
  insertAgent,
  insertConversation,
  insertOrganization,
  listApprovals,
  migrate,
  waitingAmong,
} from '@parley/database';
import {
  connectRedis,
  createLiveSessions,
  createSessionTokens,
  hashSessionToken,
} from '@parley/session-store';
import { plainAgent, startRedisServer, teardown, testDatabase } from '@parley/testkit';
import { inParallel } from '../../deploy/dist-test/support/proof-scale.js';
import { progress, quantile, shown, table } from './figures.mjs';

const tokens = setting('TOKENS', 20_000);
const live = setting('LIVE', 5000);
const approvals = setting('APPROVALS', 5000);
const organizations = 10;
const samples = 200;
const width = 64;
/** The default of REALTIME_MAX_SESSIONS. */
const perPod = 2000;

const redisServer = await startRedisServer({});
const redis = await connectRedis({ url: redisServer.url, name: 'capacity' });
console.log(`Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`);
for (const fill of [fillTokens, fillLive, fillApprovals]) console.log(`\n${await fill()}`);
redis.disconnect();
await redisServer.stop();
await teardown();

async function fillTokens() {
  progress(`issuing ${tokens} tokens`);
  const desk = createSessionTokens(redis);
  const before = await usedMemory();
  const issued = await timedAll(tokens, () => desk.issueWithin(1e9, ticketOf(randomUUID()), 3600));
  const filled = await usedMemory();
  const place = { pod: randomUUID(), startedAt: new Date().toISOString() };
  const redeemed = await timed(samples, (n) =>
    desk.consume(hashSessionToken(issued.results[n].token), randomUUID(), place),
  );
  return section(`${tokens} issued tokens`, [
    ['memory per token', `${Math.round((filled - before) / tokens)} bytes`],
    ['memory of all', `${mebibytes(filled - before)} MiB`],
    ['issued per second, one connection', shown(issued.perSecond)],
    [
      'one issued, p50 and p99',
      latency(await timed(samples, () => desk.issueWithin(1e9, ticketOf(randomUUID()), 3600))),
    ],
    ['one redeemed and registered, p50 and p99', latency(redeemed)],
  ]);
}

async function fillLive() {
  progress(`registering ${live} live sessions of one organization`);
  const registry = createLiveSessions(redis);
  const desk = createSessionTokens(redis);
  const organizationId = randomUUID();
  const podOf = () => {
    const pod = randomUUID();
    const sessions = Array.from({ length: Math.min(live, perPod) }, () => ({
      ...{ id: randomUUID(), organizationId, agentId: randomUUID(), conversationId: randomUUID() },
      ...{ pod, startedAt: new Date().toISOString() },
    }));
    return { pod, sessions };
  };
  const pods = Array.from({ length: Math.ceil(live / perPod) }, podOf);
  const before = await usedMemory();
  for (const { pod, sessions } of pods) await registry.beat(pod, sessions);
  const filled = await usedMemory();
  const beats = await timed(pods.length, (n) => registry.beat(pods[n].pod, pods[n].sessions));
  const below = await timed(samples, () => desk.issueWithin(1e9, ticketOf(organizationId), 3600));
  const beyond = await timed(20, () => desk.issueWithin(live, ticketOf(organizationId), 3600));
  const listed = await timed(5, () => registry.list(organizationId, { offset: 0, limit: 50 }));
  return section(`${live} live sessions of one organization`, [
    ['memory per session', `${Math.round((filled - before) / live)} bytes`],
    [`a heartbeat of ${perPod} sessions, every 5 s, p50 and p99`, latency(beats)],
    ['the heartbeats of all', `${shown(beats.reduce((sum, ms) => sum + ms, 0))} ms`],
    ['a token issued below the quota, p50 and p99', latency(below)],
    ['a token refused at the quota, p50 and p99', latency(beyond)],
    ['a page of the list, p50 and p99', latency(listed)],
  ]);
}

async function fillApprovals() {
  progress(`inserting ${approvals} waiting approvals`);
  const target = await testDatabase();
  await migrate(target.url);
  const plans = explained();
  const database = connectDatabase({ url: withPlans(target.url), poolSize: 4 });
  const ids = [];
  for (let n = 0; n < organizations; n += 1) ids.push(await organizationWith(database, target.url));
  const owner = new pg.Client({ connectionString: target.url });
  await owner.connect();
  await owner.query('analyze');
  const { rows } = await owner.query(
    `select pg_total_relation_size('tool_calls')::float8 as bytes`,
  );
  const [organizationId] = ids;
  const within = (work) => database.inOrganization(organizationId, work);
  const { rows: waiting } = await owner.query(
    'select id from tool_calls where organization_id = $1 limit 500',
    [organizationId],
  );
  const some = waiting.map(({ id }) => id);
  const filter = { approval: 'waiting' };
  const measured = {
    'a page of 50 waiting ones': [
      samples,
      () => within((scope) => listApprovals(scope, filter, { offset: 0, limit: 50 })),
    ],
    'which of 50 still wait': [
      samples,
      () => database.asSystem((system) => waitingAmong(system, some.slice(0, 50))),
    ],
    'how many wait in all': [20, () => database.asSystem(approvalBacklog)],
    'one decision, with its audit record': [
      samples,
      (n) =>
        within((scope) =>
          decideToolCall(scope, some[n], {
            approval: 'approved',
            by: { kind: 'system', name: 'capacity' },
          }),
        ),
    ],
    'expiring what is due, none': [
      samples,
      () => database.asSystem((system) => expireDueApprovals(system, 100)),
    ],
  };
  const results = [
    ['table and indexes, per approval', `${Math.round(rows[0].bytes / approvals)} bytes`],
  ];
  for (const [what, [count, work]] of Object.entries(measured)) {
    results.push([`${what}, p50 and p99`, latency(await timed(count, work))]);
    plans.take(what);
  }
  await owner.end();
  await database.close();
  await target.drop();
  return `${section(`${approvals} waiting approvals of ${organizations} organizations`, results)}\n\n${plans.text()}`;
}

/** An organization with its share of the approvals, which are due in an hour. */
async function organizationWith(database, url) {
  const { id } = await database.asSystem((system) => insertOrganization(system, { name: 'Full' }));
  const within = (work) => database.inOrganization(id, work);
  const agentId = await within((scope) => insertAgent(scope, { ...plainAgent, name: 'Full' }));
  const { id: conversationId } = await within((scope) => insertConversation(scope, agentId));
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  await owner.query(
    `insert into tool_calls (organization_id, conversation_id, agent_id, call_id, name, arguments,
       status, approval, approvers, deadline, created_at)
     select $1, $2, $3, 'call_' || n, 'pay', '{"amount": 10}', 1, 'waiting', '{client,api}',
       now() + interval '1 hour', now() - make_interval(secs => n)
     from generate_series(1, $4::int) n`,
    [id, conversationId, agentId, Math.ceil(approvals / organizations)],
  );
  await owner.end();
  return id;
}

/** PostgreSQL sends the plan of each query as a notice. */
function withPlans(url) {
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': 0,
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    client_min_messages: 'log',
  };
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const withOptions = new URL(url);
  withOptions.searchParams.set('options', options.join(' '));
  return withOptions.href;
}

function explained() {
  let heard = [];
  const kept = [];
  const { connect } = pg.Client.prototype;
  pg.Client.prototype.connect = function (...args) {
    this.on('notice', ({ message }) => heard.push(message));
    return connect.apply(this, args);
  };
  return {
    /** Keeps the last plan of each query on the table of calls that was made since. */
    take(what) {
      const plans = new Map();
      for (const message of heard) {
        const [, query, plan] =
          /Query Text: ([\s\S]*?)\n(\S[\s\S]*cost=[\s\S]*)/.exec(message) ?? [];
        if (query?.includes('tool_calls'))
          plans.set(query, plan.replaceAll(/'\{[^}]{80,}\}'/g, "'{…}'"));
      }
      kept.push(...[...plans.values()].map((plan) => `${what}:\n\n\`\`\`\n${plan.trim()}\n\`\`\``));
      heard = [];
    },
    text: () => kept.join('\n\n'),
  };
}

function ticketOf(organizationId) {
  return {
    ...{ organizationId, agentId: randomUUID(), conversationId: randomUUID(), keyId: randomUUID() },
    ...{ voice: 'alloy', inputAudioFormat: 'pcm16', outputAudioFormat: 'pcm16' },
    ...{ additionalInstructions: null, clientTools: [], fileIds: [] },
  };
}

/** One after the other: how long each takes. */
async function timed(count, work) {
  const times = [];
  for (let n = 0; n < count; n += 1) {
    const from = performance.now();
    await work(n);
    times.push(performance.now() - from);
  }
  return times;
}

/** Many at a time: how many per second. */
async function timedAll(count, work) {
  const from = performance.now();
  const results = await inParallel({ count, width }, work);
  return { results, perSecond: count / ((performance.now() - from) / 1000) };
}

async function usedMemory() {
  const [, used] = /^used_memory:(\d+)/m.exec(await redis.info('memory'));
  return Number(used);
}

function section(title, rows) {
  return `## ${title}\n\n${table(['', ''], rows)}`;
}

function latency(times) {
  return `${shown(quantile(times, 0.5))} ms, ${shown(quantile(times, 0.99))} ms`;
}

function mebibytes(bytes) {
  return shown(bytes / 1024 / 1024);
}

function setting(name, fallback) {
  return Number(process.env[name] ?? fallback);
}
