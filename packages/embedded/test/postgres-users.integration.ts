import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { needs, temporaryFolder } from '@parley/testkit';
import { expect } from 'chai';
import { locateCluster } from '#src/cluster-location.js';
import {
  connectOrStartEmbeddedPostgres,
  startEmbeddedPostgres,
  unprivilegedUser,
} from '#src/index.js';
import { installedPackage, prepareBinaries } from '#src/postgres-binaries.js';
import { canReach } from '#src/run-as.js';

const fixture = new URL('./fixtures/start-postgres.js', import.meta.url).pathname;

/** The user that PostgreSQL runs as under root. */
const user = (await unprivilegedUser())!;
const reachable =
  process.getuid?.() === 0 &&
  (await canReach(user, process.execPath)) &&
  (await canReach(user, join(fixture, '..')));

describe('embedded PostgreSQL under root', () => {
  needs('root');
  let folder: string;

  before(async () => {
    folder = await temporaryFolder();
  });

  const ownerOf = async (path: string) => (await stat(path)).uid;

  it('runs as a user without privileges, who owns the data and nothing else', async () => {
    const dataDir = join(folder, 'data');
    const server = await startEmbeddedPostgres({ dataDir });
    const pid = Number.parseInt(
      await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'),
      10,
    );
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    await server.stop();
    expect(/^Uid:\t(\d+)/m.exec(status)?.[1]).to.equal(String(user.uid));
    expect(/^Groups:\s*$/m.test(status)).to.equal(true);
    expect(await ownerOf(join(dataDir, 'postgres'))).to.equal(user.uid);
    expect(await ownerOf(dataDir)).to.equal(0);
    expect(await ownerOf(join(dataDir, 'postgres-password'))).to.equal(0);
  });

  it('keeps the data elsewhere if that user cannot reach DATA_DIR, and goes on to', async () => {
    const [closed, stateDir] = [join(folder, 'closed'), join(folder, 'state')];
    await mkdir(closed, { mode: 0o700 });
    const told: string[] = [];
    const locate = () =>
      locateCluster({ dataDir: join(closed, '.data'), stateDir, onProgress: (m) => told.push(m) });
    const first = await locate();
    expect(first.base).to.match(new RegExp(`^${stateDir}/data-[0-9a-f]{12}$`));
    expect(first.passwordFile).to.equal(join(closed, '.data', 'postgres-password'));
    expect(await canReach(user, first.base)).to.equal(true);
    expect(told).to.have.length(1);
    expect(told[0]).to.contain(
      `cannot reach ${closed}/.data: storing the database in ${first.base}`,
    );

    await mkdir(first.directory);
    await cp(fixture, join(first.directory, 'PG_VERSION'));
    await chown(first.directory, user.uid, user.gid);
    await chmod(closed, 0o755);
    expect((await locate()).base).to.equal(first.base);
  });

  it('refuses to begin anew beside data that can no longer be reached', async () => {
    const parent = join(folder, 'was-open');
    const dataDir = join(parent, 'data');
    await mkdir(parent);
    await (await startEmbeddedPostgres({ dataDir })).stop();
    await chmod(parent, 0o700);
    const failure = await startEmbeddedPostgres({ dataDir }).catch((error: unknown) => error);
    expect((failure as Error).message).to.contain('can no longer reach it');
  });

  it('copies the binaries where that user can reach them, once', async () => {
    const closed = join(folder, 'closed-modules');
    await mkdir(closed, { mode: 0o700 });
    const installed = join(closed, 'package');
    const original = installedPackage(`${process.platform}-${process.arch}`);
    await cp(original, installed, { recursive: true, verbatimSymlinks: true });
    const told: string[] = [];
    const prepare = () =>
      prepareBinaries(installed, { base: folder, runAs: user, onProgress: (m) => told.push(m) });
    const [first, second] = [await prepare(), await prepare()];
    expect(first.binDir).to.match(new RegExp(`^${folder}/postgresql-18[^/]*/native/bin$`));
    expect(second).to.deep.equal(first);
    expect(told).to.have.length(1);
    const { uid, mode } = await stat(first.binDir);
    expect([uid, mode & 0o022]).to.deep.equal([0, 0]);
  });

  describe('without CAP_SYS_PTRACE, as in a container', () => {
    needs({
      met: () => spawnSync('setpriv', ['--version']).status === 0,
      what: 'setpriv',
      optional: true,
    });
    const start = (dataDir: string) =>
      spawnSync('setpriv', ['--bounding-set', '-sys_ptrace', process.execPath, fixture, dataDir], {
        encoding: 'utf8',
      });

    it('leaves a running server alone', async () => {
      const dataDir = join(folder, 'in use by others');
      const server = await startEmbeddedPostgres({ dataDir });
      const second = start(dataDir);
      const again = connectOrStartEmbeddedPostgres({ dataDir });
      expect((await again).url).to.equal(server.url);
      await server.stop();
      expect(second.stderr).to.contain('DataDirInUseError');
    });

    it("starts where another program has the former server's pid", async () => {
      const dataDir = join(folder, 'of-a-reused-pid');
      await (await startEmbeddedPostgres({ dataDir })).stop();
      const other = spawn('sleep', ['600'], { ...user, cwd: '/' });
      const lock = join(dataDir, 'postgres/postmaster.pid');
      await writeFile(lock, `${other.pid}\n`);
      await chown(lock, user.uid, user.gid);
      const { stdout } = start(dataDir);
      other.kill();
      expect(stdout).to.match(/^postgres:/);
    });
  });

  describe('for an ordinary user', () => {
    needs({
      met: () => reachable,
      what: 'a checkout and a node that an ordinary user can reach',
      optional: true,
    });
    const run = (dataDir: string) => {
      const child = promisify(execFile)(process.execPath, [fixture, dataDir], {
        uid: user.uid,
        gid: user.gid,
        cwd: '/',
        env: {},
      });
      return {
        child,
        done: child.then(
          () => 'stopped',
          (error: unknown) => (error as { stderr: string }).stderr,
        ),
      };
    };

    it('starts and stops without anything special, and root takes the same data up', async () => {
      const dataDir = join(folder, 'of-an-ordinary-user');
      await mkdir(dataDir, { mode: 0o711 });
      await chown(dataDir, user.uid, user.gid);
      const { child, done } = run(dataDir);
      await once(child.child.stdout!, 'data');
      child.child.stdin!.end();
      expect(await done).to.equal('stopped');
      await (await startEmbeddedPostgres({ dataDir })).stop();
      expect(await ownerOf(join(dataDir, 'postgres/PG_VERSION'))).to.equal(user.uid);
    });

    it("says that the password is another's", async () => {
      const dataDir = join(folder, 'of-root');
      await (await startEmbeddedPostgres({ dataDir })).stop();
      await chmod(dataDir, 0o777);
      expect(await run(dataDir).done).to.match(
        /EmbeddedEngineError: .*postgres-password \(EACCES\)/,
      );
    });

    it('says that the folder is not writable', async () => {
      const dataDir = join(folder, 'of-root-alone');
      await mkdir(dataDir);
      expect(await run(dataDir).done).to.contain('this user may not write there');
    });
  });
});
