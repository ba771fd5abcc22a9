import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdir,
  readFile,
  readdir,
  rename,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@parley/testkit';
import { expect } from 'chai';
import { Client, type QueryResult } from 'pg';
import type { EmbeddedServer } from '#src/embedded-engine.js';
import {
  connectOrStartEmbeddedPostgres,
  DataDirInUseError,
  startEmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from '#src/postgres.js';
import { isRunning } from '#src/process-table.js';

/** More than any process has for a number. */
const NOBODY = 2 ** 30;

describe('embedded PostgreSQL', () => {
  const running: EmbeddedServer[] = [];
  const children: ChildProcess[] = [];
  let dataDir: string;

  before(async () => {
    dataDir = join(await temporaryFolder(), 'data');
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    for (const server of running.splice(0)) await server.stop();
  });

  const start = async (options: Partial<EmbeddedPostgresOptions> = {}) => {
    const server = await startEmbeddedPostgres({ dataDir, ...options });
    running.push(server);
    return server;
  };
  const query = async (url: string, sql: string): Promise<QueryResult<Record<string, unknown>>> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return await client.query(sql);
    } finally {
      await client.end();
    }
  };
  const postmasterPid = async () =>
    Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
  /** Starts it from another process, as another Parley would. */
  const startElsewhere = async () => {
    const fixture = new URL('./fixtures/start-postgres.js', import.meta.url).pathname;
    const child = spawn(process.execPath, [fixture, dataDir], {
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true,
    });
    children.push(child);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    return { child, url: line.toString().trim() };
  };

  it('creates a database at the first start, says so, and keeps its data over a restart', async () => {
    const told: string[] = [];
    const first = await start({ onProgress: (message) => told.push(message) });
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    const second = await start({ onProgress: (message) => told.push(message) });
    expect((await query(second.url, 'SELECT answer FROM kept')).rows).to.deep.equal([
      { answer: 42 },
    ]);
    const creations = told.filter((message) => message.startsWith('Creating'));
    expect(creations).to.deep.equal([`Creating a PostgreSQL database in ${dataDir}/postgres`]);
  });

  it('keeps its password to this user, asks for it, and opens no other door', async () => {
    const { url } = await start();
    expect((await stat(join(dataDir, 'postgres-password'))).mode & 0o777).to.equal(0o600);
    const wrong = new URL(url);
    wrong.password = 'guess';
    const refusal = await query(wrong.href, 'SELECT 1').catch((error: unknown) => error);
    expect((refusal as Error).message).to.contain('password authentication failed');
    const { rows } = await query(
      url,
      `SELECT name, setting FROM pg_settings WHERE name IN
       ('listen_addresses', 'unix_socket_directories', 'password_encryption') ORDER BY name`,
    );
    expect(rows.map(({ setting }) => setting)).to.deep.equal(['127.0.0.1', 'scram-sha-256', '']);
  });

  it('knows Unicode whatever the machine has installed', async () => {
    const { url } = await start();
    const { rows } = await query(url, `SELECT lower('ÉCLAIR Ω') AS lower, 'É' ILIKE 'é' AS same`);
    expect(rows).to.deep.equal([{ lower: 'éclair ω', same: true }]);
  });

  it('leaves nothing half-made behind, not even what a killed start has left', async () => {
    dataDir = join(await temporaryFolder(), 'tidy');
    await mkdir(join(dataDir, `postgres.new-${NOBODY}-abc`), { recursive: true });
    await (await start()).stop();
    const names = (await readdir(dataDir)).filter((name) => !name.startsWith('postgresql-'));
    expect(names).to.have.members(['postgres', 'postgres-password']);
  });

  it('refuses a second start on the same folder, in this process and in another', async () => {
    const { child } = await startElsewhere();
    const refusals = [await start().catch((error: unknown) => error)];
    const gone = once(child, 'exit');
    child.stdin.end();
    await gone;
    await start();
    refusals.push(await start().catch((error: unknown) => error));
    for (const refusal of refusals) {
      expect(refusal).to.be.instanceOf(DataDirInUseError);
      expect((refusal as Error).message).to.equal(
        `This DATA_DIR is in use by another Parley: ${dataDir}`,
      );
    }
  });

  it('refuses it also when the data was moved and a link stands in its place', async () => {
    const moved = join(await temporaryFolder(), 'moved');
    await rename(join(dataDir, 'postgres'), moved);
    await symlink(moved, join(dataDir, 'postgres'));
    await start();
    const refusal = await start().catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(DataDirInUseError);
  });

  it('lets exactly one of several simultaneous first starts win', async () => {
    dataDir = join(await temporaryFolder(), 'contested');
    const outcomes = await Promise.allSettled([start(), start(), start()]);
    const lost = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(lost.map(({ reason }) => (reason as Error).name)).to.deep.equal([
      'DataDirInUseError',
      'DataDirInUseError',
    ]);
  });

  it('starts over an orphan whose Parley was killed, and loses nothing', async () => {
    const { child, url } = await startElsewhere();
    await query(url, 'CREATE TABLE survivor AS SELECT 1 AS n');
    const orphan = await postmasterPid();
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    expect(await isRunning(orphan)).to.equal(true);
    const server = await start();
    expect((await query(server.url, 'SELECT n FROM survivor')).rows).to.deep.equal([{ n: 1 }]);
    expect(await isRunning(orphan)).to.equal(false);
  });

  it('tells that the server has died, and starts again after it', async () => {
    const death = new Promise<Error>((resolve) => {
      void start({ onExit: resolve }).then(async () =>
        process.kill(await postmasterPid(), 'SIGKILL'),
      );
    });
    expect((await death).message).to.match(/^The embedded PostgreSQL has died: /);
    const server = await start();
    expect((await query(server.url, 'SELECT 1 AS one')).rows).to.deep.equal([{ one: 1 }]);
  });

  it('is not kept from starting by a lock file whose number belongs to another program', async () => {
    await (await start()).stop();
    // As an ordinary user PostgreSQL would take this living process for a server.
    await writeFile(
      join(dataDir, 'postgres', 'postmaster.pid'),
      `${process.pid}\n${dataDir}/postgres\n1700000000\n5432\n\n127.0.0.1\n`,
    );
    const server = await start();
    expect((await query(server.url, 'SELECT 1 AS one')).rows).to.deep.equal([{ one: 1 }]);
  });

  it('is not kept from starting by the empty lock file of a machine that lost power', async () => {
    await (await start()).stop();
    const lock = join(dataDir, 'postgres', 'postmaster.pid');
    await writeFile(lock, '');
    await utimes(lock, 0, 0);
    const server = await start();
    expect((await query(server.url, 'SELECT 1 AS one')).rows).to.deep.equal([{ one: 1 }]);
  });

  it('attaches to a running server, whose stop it leaves to its owner', async () => {
    const { child, url } = await startElsewhere();
    const attached = await connectOrStartEmbeddedPostgres({ dataDir });
    expect(attached.url).to.equal(url);
    await attached.stop();
    expect((await query(url, 'SELECT 1 AS one')).rows).to.deep.equal([{ one: 1 }]);
    const gone = once(child, 'exit');
    child.stdin.end();
    await gone;
  });

  it('starts a server when none runs, and then stops it', async () => {
    const started = await connectOrStartEmbeddedPostgres({ dataDir });
    const pid = await postmasterPid();
    await started.stop();
    expect(await isRunning(pid)).to.equal(false);
  });

  it('attaches or starts, whichever of two simultaneous calls is first', async () => {
    const open = () => connectOrStartEmbeddedPostgres({ dataDir });
    const servers = await Promise.all([open(), open()]);
    running.push(...servers);
    expect(servers[0].url).to.equal(servers[1].url);
  });

  it('survives Ctrl-C in the terminal, which is for its owner to handle', async () => {
    const { child, url } = await startElsewhere();
    const gone = once(child, 'exit');
    process.kill(-child.pid!, 'SIGINT');
    await gone;
    const attached = await connectOrStartEmbeddedPostgres({ dataDir });
    expect(attached.url).to.equal(url);
    await (await start()).stop();
  });
});
