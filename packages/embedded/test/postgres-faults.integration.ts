import { chmod, cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@parley/testkit';
import { expect } from 'chai';
import { EmbeddedEngineError, inspectBinaries, startEmbeddedPostgres } from '#src/index.js';
import { installedPackage, linkLibraries } from '#src/postgres-binaries.js';

describe('embedded PostgreSQL, when it cannot start', () => {
  let folder: string;
  before(async () => {
    folder = await temporaryFolder();
  });

  const failure = async (attempt: Promise<unknown>): Promise<string> => {
    const error = await attempt.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(EmbeddedEngineError);
    const { message } = error as Error;
    expect(message).not.to.contain('\n');
    return message;
  };

  it('says that DATA_DIR is a file', async () => {
    const dataDir = join(folder, 'a-file');
    await writeFile(dataDir, '');
    expect(await failure(startEmbeddedPostgres({ dataDir }))).to.contain('it is a file');
    expect(await failure(startEmbeddedPostgres({ dataDir: join(dataDir, 'x') }))).to.contain(
      'a part of the path is a file',
    );
  });

  it('says that the folder cannot be written', async () => {
    expect(await failure(startEmbeddedPostgres({ dataDir: '/proc/parley' }))).to.match(
      /^DATA_DIR \/proc\/parley cannot be used: /,
    );
  });

  it('leaves a folder alone that holds something else', async () => {
    const dataDir = join(folder, 'other');
    await mkdir(join(dataDir, 'postgres'), { recursive: true });
    await writeFile(join(dataDir, 'postgres', 'letter.txt'), 'dear');
    expect(await failure(startEmbeddedPostgres({ dataDir }))).to.contain(
      'is not a PostgreSQL data directory',
    );
    expect(await readdir(join(dataDir, 'postgres'))).to.deep.equal(['letter.txt']);
  });

  it('says why a file could not be written', async () => {
    const dataDir = join(folder, 'blocked');
    await mkdir(join(dataDir, 'postgres-password'), { recursive: true });
    expect(await failure(startEmbeddedPostgres({ dataDir }))).to.contain('EISDIR');
  });

  describe('on an existing database', () => {
    let dataDir: string;
    beforeEach(async () => {
      dataDir = join(await temporaryFolder(), 'data');
      await (await startEmbeddedPostgres({ dataDir })).stop();
    });

    it('says which PostgreSQL made it', async () => {
      await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '16\n');
      expect(await failure(startEmbeddedPostgres({ dataDir }))).to.match(
        /was created by PostgreSQL 16, .* includes PostgreSQL 18/,
      );
    });

    it("repeats PostgreSQL's last words when the files are damaged", async () => {
      await rm(join(dataDir, 'postgres', 'global', 'pg_control'));
      expect(await failure(startEmbeddedPostgres({ dataDir }))).to.match(
        /did not start on .*could not (open|find|read).*pg_control/,
      );
    });

    it('says that the password file is gone', async () => {
      await rm(join(dataDir, 'postgres-password'));
      expect(await failure(startEmbeddedPostgres({ dataDir }))).to.match(
        /password .* cannot be read from .*postgres-password \(ENOENT\)/,
      );
    });

    it('says that the password does not fit', async () => {
      await writeFile(join(dataDir, 'postgres-password'), 'another\n');
      expect(await failure(startEmbeddedPostgres({ dataDir }))).to.contain(
        'rejects the password in',
      );
    });
  });

  describe('its binaries', () => {
    it('asks for DATABASE_URL on a platform that has none', () => {
      expect(() => installedPackage('linux-riscv64')).to.throw(
        EmbeddedEngineError,
        'no embedded PostgreSQL for linux-riscv64: set DATABASE_URL',
      );
    });

    it('asks for DATABASE_URL where they do not run', async () => {
      // What a program for another C library looks like: there, but its interpreter is not.
      const program = join(folder, 'postgres');
      await writeFile(program, '#!/lib/ld-absent.so\n');
      await chmod(program, 0o755);
      expect(await failure(inspectBinaries(folder))).to.match(
        /does not run here \(.*ENOENT.*\); it needs glibc 2\.27 or newer: set DATABASE_URL/,
      );
    });

    it('run after an install without scripts, several processes linking at once', async () => {
      const copy = join(folder, 'package');
      const installed = installedPackage(`${process.platform}-${process.arch}`);
      await cp(installed, copy, { recursive: true, verbatimSymlinks: true });
      const lib = join(copy, 'native', 'lib');
      for (const entry of await readdir(lib, { withFileTypes: true }))
        if (entry.isSymbolicLink()) await rm(join(lib, entry.name));
      await Promise.all([linkLibraries(copy), linkLibraries(copy), linkLibraries(copy)]);
      const { major } = await inspectBinaries(join(copy, 'native', 'bin'));
      expect(major).to.equal(18);
    });
  });
});
