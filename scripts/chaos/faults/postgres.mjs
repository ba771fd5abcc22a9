// PostgreSQL goes away, refuses, or takes its time. Sessions that are open go on; what they say is
// written once it is back.
import { Client } from 'pg';
import { startPostgresStandby } from '@parley/testkit';
import { between } from './timing.mjs';

export const postgres = {
  'PostgreSQL killed': {
    what: 'kill -9 of PostgreSQL, which recovers',
    quick: true,
    seconds: 4,
    start: ({ stage: { postgres: server } }) =>
      between(
        () => server.kill(),
        () => server.restart(),
      ),
  },
  'PostgreSQL paused': {
    what: 'SIGSTOP of PostgreSQL and all its connections',
    seconds: 8,
    start: ({ stage: { postgres: server } }) =>
      between(
        () => server.kill('SIGSTOP'),
        () => server.kill('SIGCONT'),
      ),
  },
  'PostgreSQL slow': {
    what: 'every reply of PostgreSQL takes 100 ms longer, each way',
    seconds: 6,
    start: ({ stage: { roads } }) =>
      between(
        () => roads.database.delay(100),
        () => roads.database.heal(),
      ),
  },
  'PostgreSQL black-holed': {
    what: 'nothing reaches PostgreSQL, and nobody says so',
    seconds: 8,
    start: ({ stage: { roads } }) =>
      between(
        () => roads.database.blackHole(),
        () => roads.database.heal(),
      ),
  },
  'PostgreSQL read-only': {
    what: 'default_transaction_read_only: every write is refused',
    seconds: 6,
    start: ({ stage }) =>
      between(
        () => configure(stage, 'on'),
        () => configure(stage, 'off'),
      ),
  },
  'PostgreSQL out of connections': {
    what: 'somebody else takes every connection that the pods do not have',
    seconds: 6,
    start: exhaust,
  },
  'PostgreSQL failed over': {
    what: 'kill -9 of PostgreSQL; its synchronous standby takes over',
    seconds: 3,
    start: failOver,
  },
};

async function configure({ postgres: { url } }, value) {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('set default_transaction_read_only = off');
  await client.query(`alter system set default_transaction_read_only = ${value}`);
  await client.query('select pg_reload_conf()');
  await client.end();
}

/** Ends the connections of the pods, and takes every one that is free, again and again. */
async function exhaust({ stage }) {
  const hoard = [];
  const take = async () => {
    for (;;) {
      const client = new Client({ connectionString: stage.postgres.url });
      client.on('error', () => {});
      try {
        await client.connect();
      } catch {
        return;
      }
      hoard.push(client);
    }
  };
  const [own] = [new Client({ connectionString: stage.postgres.url })];
  own.on('error', () => {});
  await own.connect();
  await take();
  for (let round = 0; round < 3; round += 1) {
    await own.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'parley%'`,
    );
    await take();
  }
  hoard.push(own);
  return { stop: () => Promise.all(hoard.map((client) => client.end().catch(() => {}))) };
}

async function failOver({ stage }) {
  const standby = await startPostgresStandby(stage.postgres);
  await stage.postgres.kill();
  await standby.promote();
  await stage.usePostgres(standby);
}
