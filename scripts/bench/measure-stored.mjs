// What sessions leave in the stores: while they are open, once they are over, and per minute of talk.
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import { connectRedis } from '@parley/session-store';
import { end, next } from './child.mjs';
import { progress, table } from './figures.mjs';
import { connect, frames100 } from './measure-relay.mjs';

const settleMs = 3000;

export async function measureStored(gateway, { redisUrl, databaseUrl }, { stored, talkSeconds }) {
  const redis = await connectRedis({ url: redisUrl, name: 'bench' });
  const pool = new Pool({ connectionString: databaseUrl });
  const reading = async () => {
    await delay(settleMs);
    const [, used] = /^used_memory:(\d+)/m.exec(await redis.info('memory'));
    const { rows } = await pool.query(
      `select sum(pg_total_relation_size(oid))::float8 as bytes from pg_class
       where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    return { redis: Number(used), postgres: rows[0].bytes };
  };
  const empty = await reading();
  progress(`stored: ${stored} sessions, ${talkSeconds} s of talk`);
  const client = await connect(gateway, stored, {
    ...{ ...frames100, warmSeconds: 2 * (settleMs / 1000), seconds: talkSeconds },
  });
  const open = await reading();
  await next(client, 'done');
  const talked = await reading();
  await end(client);
  const over = await reading();
  redis.disconnect();
  await pool.end();
  const minutes = (stored * (talkSeconds + 2 * (settleMs / 1000))) / 60;
  const per = (count, after, before) => [
    Math.round((after.redis - before.redis) / count),
    Math.round((after.postgres - before.postgres) / count),
  ];
  const rows = [
    ['a session that is open', ...per(stored, open, empty)],
    ['a minute of talk', ...per(minutes, talked, open)],
    ['a session that is over, with its talk', ...per(stored, over, empty)],
  ];
  return `## Storage

${table(['', 'bytes of Redis', 'bytes of PostgreSQL, with indexes'], rows)}

${stored} sessions that talk for ${talkSeconds} s, with an answer of 80 characters every five seconds. Redis forgets a session's token after a day.
`;
}
