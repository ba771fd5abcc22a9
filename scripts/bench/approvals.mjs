// Proves and measures approvals on the stores named by REDIS_URL and DATABASE_URL, which must be
// empty: 500 approvals with 600 attempts to decide each; then 1,000 that nobody decides, and how
// late two workers expire them.
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { approvalMetrics, createApprovalDesk } from '@parley/approvals';
import {
  approvalBacklog,
  connectDatabase,
  createSecretBox,
  insertAgent,
  insertConversation,
  insertOrganization,
  migrate,
  recordToolCall,
} from '@parley/database';
import { createEgress } from '@parley/egress';
import { createMetrics, requireConfig } from '@parley/service-kit';
import { connectRedis, openJobProducer } from '@parley/session-store';
import { plainAgent, testHost } from '@parley/testkit';
import { open as openWorker } from '@parley/worker';

const { REDIS_URL: url, DATABASE_URL: databaseUrl } = process.env;
if (!url || !databaseUrl) {
  console.error('Set REDIS_URL and DATABASE_URL to stores that may be filled.');
  process.exit(1);
}
await migrate(databaseUrl);
const redis = await connectRedis({ url, name: 'bench' });
const producer = await openJobProducer(redis, console.error);
const databases = [1, 2, 3].map(() => connectDatabase({ url: databaseUrl, poolSize: 20 }));
const rivals = databases.map((database) =>
  createApprovalDesk({
    ...{ database, redis, producer, onError: console.error },
    metrics: approvalMetrics(createMetrics({ app: 'bench' }).registry),
  }),
);
const [database] = databases;
const [desk] = rivals;
const organization = await database.asSystem((s) => insertOrganization(s, { name: 'Bench' }));
const within = (work) => database.inOrganization(organization.id, work);
const agentId = await within((scope) => insertAgent(scope, { ...plainAgent, name: 'Bench' }));
const { id: conversationId } = await within((scope) => insertConversation(scope, agentId));

await race();
await expire();
await producer.close();
redis.disconnect();
for (const each of databases) await each.close();

async function race() {
  const startedAt = performance.now();
  const by = { kind: 'system', name: 'bench' };
  let doubles = 0;
  const won = { approved: 0, rejected: 0, expired: 0 };
  for (let n = 0; n < 500; n += 1) {
    const call = await open(n % 2 === 0 ? 20 : 60_000);
    const decisions = await Promise.all(
      Array.from({ length: 600 }, (_, attempt) => {
        const way = Object.keys(won)[(n + (attempt >> 2)) % 3];
        const rival = rivals[attempt % 3];
        return way === 'expired'
          ? rival.expire(call.id).then(() => false)
          : rival.decide(call, way, by);
      }),
    );
    const decided = decisions.filter(Boolean).length;
    const { approval } = await stateOf(call.id);
    if (decided > (approval === 'expired' ? 0 : 1)) doubles += 1;
    if (approval !== 'waiting') won[approval] += 1;
  }
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`500 approvals x 600 attempts, 3 processes: ${doubles} decided twice,`);
  console.log(`  ${JSON.stringify(won)}, ${Math.round(300_000 / seconds)} attempts/s`);
}

async function expire() {
  const { config } = requireConfig('standalone', {});
  const egress = createEgress([]);
  const secretBox = createSecretBox(randomBytes(32).toString('base64'));
  const parts = { database, redis, redisOptions: { url }, egress, secretBox };
  const hosts = [1, 2].map(() => testHost('bench', config));
  await Promise.all(hosts.map((host) => openWorker({ ...host, ...parts })));
  const calls = [];
  // Opens ten at a time with the same timeout, so that the deadlines are spread like the openings.
  while (calls.length < 1000)
    calls.push(...(await Promise.all(Array.from({ length: 10 }, () => open(10_000)))));
  report('due one after the other', await latenessOf(calls));
  const together = [];
  const due = Date.now() + 20_000;
  while (together.length < 1000)
    together.push(...(await Promise.all(Array.from({ length: 10 }, () => open(due - Date.now())))));
  report('due at once', await latenessOf(together));
  await Promise.all(hosts.map((host) => host.stop()));
  await egress.close();
}

async function latenessOf(calls) {
  for (;;) {
    const { waiting } = await database.asSystem(approvalBacklog);
    if (waiting === 0) break;
    await delay(200);
  }
  const rows = await Promise.all(calls.map(({ id }) => stateOf(id)));
  const expired = rows.filter(({ approval }) => approval === 'expired');
  return expired.map(({ decidedAt, deadline }) => decidedAt - deadline).sort((a, b) => a - b);
}

function report(what, late) {
  const at = (share) => late[Math.min(late.length - 1, Math.floor(late.length * share))];
  console.log(`${late.length} of 1,000 ${what} expired; late by p50 ${at(0.5)} ms,`);
  console.log(`  p99 ${at(0.99)} ms, max ${at(1)} ms, on PostgreSQL's clock`);
}

async function open(timeoutMs) {
  const call = { id: randomUUID(), organizationId: organization.id };
  const place = { sessionId: null, runId: null, conversationId, agentId, parentId: null };
  const said = { callId: call.id, name: 'pay', arguments: {}, position: 1, createdAt: new Date() };
  await within((scope) =>
    recordToolCall(scope, { id: call.id, messageId: randomUUID(), ...place, ...said }),
  );
  await desk.open(call, { timeoutMs, approvers: ['client', 'api'], owner: null });
  return call;
}

function stateOf(id) {
  return within(({ trx }) =>
    trx
      .selectFrom('toolCalls')
      .select(['approval', 'deadline', 'decidedAt'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
  );
}
