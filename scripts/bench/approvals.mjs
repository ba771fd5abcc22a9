// Proves and measures approvals on the stores named by REDIS_URL and DATABASE_URL, which must be empty ones:
// 500 approvals, 600 attempts to decide each; then 1,000 that nobody decides, and how late two workers expire them.
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  connectDatabase,
  createSecretBox,
  insertAgent,
  insertConversation,
  insertOrganization,
  markWaiting,
  migrate,
  recordToolCall,
} from '@parley/database';
import { createEgress } from '@parley/egress';
import { createLogger, createMetrics, requireConfig } from '@parley/service-kit';
import { connectRedis, createApprovals, createJobProducer } from '@parley/session-store';
import { startWorker } from '@parley/worker';
import { agent } from './record.mjs';

const { REDIS_URL: url, DATABASE_URL: databaseUrl } = process.env;
if (!url || !databaseUrl) {
  console.error('Set REDIS_URL and DATABASE_URL to stores that may be filled.');
  process.exit(1);
}
const clients = await Promise.all([1, 2, 3].map(() => connectRedis({ url, name: 'bench' })));
const rivals = clients.map(createApprovals);
const [redis] = clients;
const [approvals] = rivals;

await race();
await expire();
for (const client of clients) client.disconnect();

async function race() {
  const startedAt = performance.now();
  let doubles = 0;
  const won = { approved: 0, rejected: 0, expired: 0 };
  for (let n = 0; n < 500; n += 1) {
    const ticket = newTicket();
    await approvals.open(ticket, n % 2 === 0 ? 5 : 60_000);
    const outcomes = await Promise.all(
      Array.from({ length: 600 }, (_, attempt) => {
        const way = Object.keys(won)[(n + (attempt >> 2)) % 3];
        const rival = rivals[attempt % 3];
        return way === 'expired' ? rival.expire(ticket.id) : rival.decide(ticket.id, way, null);
      }),
    );
    if (outcomes.filter(({ outcome }) => outcome === 'decided').length > 1) doubles += 1;
    const { state } = await approvals.read(ticket.id);
    if (state !== 'waiting') won[state] += 1;
  }
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`500 approvals x 600 attempts, 3 connections: ${doubles} decided twice,`);
  console.log(`  ${JSON.stringify(won)}, ${Math.round(300_000 / seconds)} attempts/s`);
}

async function expire() {
  await migrate(databaseUrl);
  const database = connectDatabase({ url: databaseUrl, poolSize: 20 });
  const producer = createJobProducer(redis, console.error);
  const logger = createLogger({ app: 'bench', level: 'warn' });
  const settings = { ...requireConfig('standalone', {}).config, DRAIN_TIMEOUT_SECONDS: 5 };
  const egress = createEgress([]);
  const options = {
    ...{ redis: { url }, database, logger, settings, egress },
    secretBox: createSecretBox(randomBytes(32).toString('base64')),
    files: { discard: async () => undefined },
    defaultConnection: undefined,
  };
  const workers = await Promise.all(
    [1, 2].map(() => startWorker({ ...options, registry: createMetrics({ app: 'b' }).registry })),
  );
  const open = await opener(database, producer);
  const calls = [];
  // Ten at a time, each due after as long: the deadlines are as far apart as the openings were.
  while (calls.length < 1000)
    calls.push(...(await Promise.all(Array.from({ length: 10 }, () => open(10_000)))));
  for (;;) {
    const { waiting } = await approvals.backlog();
    if (waiting === 0) break;
    await delay(200);
  }
  const late = [];
  for (const { id, deadline } of calls) {
    const { state, at } = await approvals.read(id);
    if (state === 'expired') late.push(at - deadline);
  }
  late.sort((a, b) => a - b);
  const at = (share) => late[Math.min(late.length - 1, Math.floor(late.length * share))];
  console.log(`${late.length} of 1,000 expired; late by p50 ${at(0.5)} ms, p99 ${at(0.99)} ms,`);
  console.log(`  max ${at(1)} ms, on Redis' clock`);
  await Promise.all(workers.map((worker) => worker.close()));
  await producer.close();
  await egress.close();
  await database.close();
}

/** Opens approvals as a session does: in the record, in Redis, with a timer. */
async function opener(database, producer) {
  const organization = await database.asSystem((s) => insertOrganization(s, { name: 'Bench' }));
  const within = (work) => database.inOrganization(organization.id, work);
  const agentId = await within((scope) => insertAgent(scope, agent));
  const { id: conversationId } = await within((scope) => insertConversation(scope, agentId));
  return async (timeoutMs) => {
    const { id } = newTicket();
    const place = { sessionId: null, runId: null };
    const call = { ...place, id, conversationId, agentId, messageId: randomUUID(), parentId: null };
    const said = { callId: id, name: 'pay', arguments: {}, position: 1, createdAt: new Date() };
    await within((scope) => recordToolCall(scope, { ...call, ...said }));
    const deadline = await approvals.open(
      { ...newTicket(), id, organizationId: organization.id },
      timeoutMs,
    );
    await within((scope) => markWaiting(scope, id, deadline));
    await producer.expireApproval(id, timeoutMs);
    return { id, deadline };
  };
}

function newTicket() {
  const place = { organizationId: randomUUID(), sessionId: null, runId: null, owner: null };
  return { id: randomUUID(), ...place, argumentsHash: '' };
}
