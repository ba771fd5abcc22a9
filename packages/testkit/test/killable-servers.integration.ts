import { isRunning } from '@parley/embedded';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { needs, startPostgresServer, startPostgresStandby, startRedisServer } from '#src/index.js';

describe('a redis-server of a test’s own', () => {
  needs('redis-server');

  const use = async <T>(url: string, command: (redis: Redis) => Promise<T>): Promise<T> => {
    const redis = new Redis(url, { retryStrategy: () => null });
    redis.on('error', () => undefined);
    try {
      return await command(redis);
    } finally {
      redis.disconnect();
    }
  };

  it('comes back empty on the same port after SIGKILL', async () => {
    const server = await startRedisServer();
    const killed = server.pid;
    await use(server.url, (redis) => redis.set('key', 'value'));
    await server.kill();
    expect(await isRunning(killed)).to.equal(false);
    await server.restart();
    expect(await use(server.url, (redis) => redis.get('key'))).to.equal(null);
    await server.stop();
    expect(await isRunning(server.pid)).to.equal(false);
  });

  it('keeps its keys over a kill if its arguments say so', async () => {
    const server = await startRedisServer({
      args: ['--appendonly', 'yes', '--appendfsync', 'always'],
    });
    await use(server.url, (redis) => redis.set('key', 'value'));
    await server.restart();
    expect(await use(server.url, (redis) => redis.get('key'))).to.equal('value');
    await server.stop();
  });

  it('can be frozen and thawed', async () => {
    const server = await startRedisServer();
    await use(server.url, async (redis) => {
      await redis.ping();
      await server.kill('SIGSTOP');
      const answer = redis.incr('counter');
      await server.kill('SIGCONT');
      expect(await answer).to.equal(1);
    });
    await server.stop();
  });

  it('says that it did not start', async () => {
    const failure = await startRedisServer({ args: ['--no-such-option', '1'] }).catch(
      (error: unknown) => error,
    );
    expect((failure as Error).message).to.equal(
      'redis-server ended with code 1 while it was starting',
    );
  });
});

const queryAt = async ({ url }: { url: string }, sql: string) => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
};

describe('a PostgreSQL of a test’s own', () => {
  it('recovers its rows on the same port after SIGKILL', async () => {
    const server = await startPostgresServer();
    const query = (sql: string) => queryAt(server, sql);
    await query('CREATE TABLE kept AS SELECT 42 AS answer');
    const killed = server.pid;
    await server.kill();
    expect(await isRunning(killed)).to.equal(false);
    await server.restart();
    expect(await query('SELECT answer FROM kept')).to.deep.equal([{ answer: 42 }]);
    await server.stop();
    expect(await isRunning(server.pid)).to.equal(false);
  });
});

describe('the standby of a PostgreSQL', () => {
  needs('postgres');

  it('has every committed row when it takes over', async () => {
    const server = await startPostgresServer();
    const standby = await startPostgresStandby(server);
    await queryAt(server, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await server.kill();
    await standby.promote();
    await queryAt(standby, 'INSERT INTO kept VALUES (43)');
    const rows = await queryAt(standby, 'SELECT answer FROM kept ORDER BY answer');
    expect(rows).to.deep.equal([{ answer: 42 }, { answer: 43 }]);
    await standby.stop();
    await server.stop();
  });
});
