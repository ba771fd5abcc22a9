// The minimum for an API with keys, a rate limit and two stores: one lookup of the key, one count,
// one read; for a session, also one row and one token. It validates nothing, has no tenants and
// keeps no audit log.
//
//   node rest.mjs DATABASE_URL REDIS_URL AGENTS CONTENT     forked by the benchmark, to which it
//                                                           reports where it is
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import express from 'express';
import { Redis } from 'ioredis';
import { Pool } from 'pg';

process.on('disconnect', () => process.exit());
const [databaseUrl, redisUrl, agents, content] = process.argv.slice(2);
const pool = new Pool({ connectionString: databaseUrl, max: 10 });
pool.on('error', () => undefined);
const redis = new Redis(redisUrl);
redis.defineCommand('count', {
  numberOfKeys: 1,
  lua: `local used = redis.call('INCR', KEYS[1])
    if used == 1 then redis.call('EXPIRE', KEYS[1], 60) end
    return used`,
});
await pool.query(`
  create table peer_keys (hash bytea primary key, tenant uuid not null);
  create table peer_agents (id uuid primary key, tenant uuid not null, content jsonb not null);
  create table peer_talks (id uuid primary key, tenant uuid not null, agent uuid not null, at timestamptz default now())`);

const [key, tenant, agent] = [randomBytes(24).toString('hex'), randomUUID(), randomUUID()];
await pool.query('insert into peer_keys values ($1, $2)', [sha256(key), tenant]);
for (const id of [agent, ...Array.from({ length: agents - 1 }, randomUUID)])
  await pool.query('insert into peer_agents values ($1, $2, $3)', [id, tenant, content]);

const select = {
  key: { name: 'key', text: 'select tenant from peer_keys where hash = $1' },
  agent: {
    name: 'agent',
    text: 'select id, content from peer_agents where id = $1 and tenant = $2',
  },
  page: {
    name: 'page',
    text: `select id, content, count(*) over () as total from peer_agents
      where tenant = $1 order by id limit $2`,
  },
};
const insertTalk = {
  name: 'talk',
  text: 'insert into peer_talks (id, tenant, agent) values ($1, $2, $3)',
};

const app = express().disable('x-powered-by');
app.use(async (request, response, next) => {
  const { rows } = await pool.query({
    ...select.key,
    values: [sha256(request.get('x-api-key') ?? '')],
  });
  const [found] = rows;
  if (found === undefined || found.tenant !== request.get('x-org-id')) response.sendStatus(401);
  else if ((await redis.count(`peer:${found.tenant}`)) > 1e9) response.sendStatus(429);
  else {
    response.locals.tenant = found.tenant;
    next();
  }
});
app.param('agent', async (request, response, next, id) => {
  const { rows } = await pool.query({ ...select.agent, values: [id, response.locals.tenant] });
  if (rows.length === 0) response.sendStatus(404);
  else {
    response.locals.agent = rows[0];
    next();
  }
});
app.get('/api/v1/Agent/:agent', (_request, response) => {
  const { id, content } = response.locals.agent;
  response.json({ ...content, id });
});
app.get('/api/v1/Agent', async (request, response) => {
  const values = [response.locals.tenant, Number(request.query.Limit)];
  const { rows } = await pool.query({ ...select.page, values });
  const items = rows.map(({ id, content }) => ({ ...content, id }));
  response.json({ items, total: Number(rows[0].total) });
});
app.post('/api/v1/Agent/:agent/realtime-session', express.json(), async (_request, response) => {
  const { tenant, agent } = response.locals;
  const [conversationId, sessionId] = [randomUUID(), randomBytes(32).toString('base64url')];
  await pool.query({ ...insertTalk, values: [conversationId, tenant, agent.id] });
  const ticket = JSON.stringify({ tenant, agent: agent.id, conversationId });
  await redis.set(`peer:token:${sessionId}`, ticket, 'EX', 60);
  response.json({
    sessionId,
    conversationId,
    expiresAt: new Date(Date.now() + 60_000).toISOString(),
    webSocketPath: `/api/v1/Agent/${agent.id}/realtime?conversationId=${conversationId}&sessionId=${sessionId}`,
  });
});

const server = app.listen(0, '127.0.0.1', () =>
  process.send({ port: server.address().port, key, tenant, agent }),
);

function sha256(text) {
  return createHash('sha256').update(text).digest();
}
