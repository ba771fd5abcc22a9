import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  appProgram,
  migratedDatabase,
  runNode,
  temporaryFolder,
  type MigratedDatabase,
  type ProgramOptions,
} from '@parley/testkit';

const main = appProgram('admin');

describe('the administrator’s command line', () => {
  let db: MigratedDatabase;
  before(async () => {
    db = await migratedDatabase();
  });
  after(() => db.drop());

  const admin = async (args: string[], options: ProgramOptions) => {
    const program = runNode([main, ...args], options);
    return { code: await program.ended, output: program.output };
  };

  it('reads its answer from the terminal, prints a table and ends with 0', async () => {
    const env = { DATABASE_URL: db.url, SECRETS_KEY: Buffer.alloc(32).toString('base64') };
    const { code, output } = await admin(['secrets', 'reencrypt'], { env, input: 'y\n' });
    expect(code, output).to.equal(0);
    expect(output).to.match(/kind +resealed +current +unreadable/);
  });

  it('explains a mistake without a stack and ends with 1', async () => {
    const env = { DATABASE_URL: db.url };
    const { code, output } = await admin(['org', 'create'], { env });
    expect(code).to.equal(1);
    expect(output).to.equal(
      '--name is missing.\nRun npm run admin -- help for a list of commands.',
    );
  });

  it('ends with 78 when PostgreSQL refuses the login, so that nobody tries again', async () => {
    const url = new URL(db.url);
    url.username = 'nobody_of_that_name';
    const { code, output } = await admin(['migrate'], { env: { DATABASE_URL: url.href } });
    expect(code, output).to.equal(78);
    expect(output).to.match(/^DATABASE_URL cannot be used: .*nobody_of_that_name/);
  });

  it('ends with 1 when PostgreSQL is away, which a later attempt may find back', async () => {
    const env = { DATABASE_URL: 'postgres://parley@127.0.0.1:1/parley' };
    const { code, output } = await admin(['migrate'], { env });
    expect(code, output).to.equal(1);
    expect(output).to.match(/^DATABASE_URL cannot be used: /);
  });

  it('makes no database for a command that it does not know', async () => {
    const dataDir = join(await temporaryFolder(), 'data');
    const { code } = await admin(['org', 'destroy'], { env: { DATA_DIR: dataDir } });
    expect(code).to.equal(1);
    expect(existsSync(dataDir)).to.equal(false);
  });

  it('uses the embedded database under DATA_DIR when no DATABASE_URL is set', async () => {
    const env = { DATA_DIR: join(await temporaryFolder(), 'data') };
    const created = await admin(['org', 'create', '--name', 'Here', '--json'], { env });
    expect(created.code, created.output).to.equal(0);
    expect((await admin(['org', 'list'], { env })).output).to.include('Here');
    await writeFile(join(env.DATA_DIR, 'secrets.key'), Buffer.alloc(32).toString('base64'));
    const sealed = await admin(['secrets', 'reencrypt', '--yes'], { env });
    expect(sealed.code, sealed.output).to.equal(0);
  });

  it('names DATABASE_URL where there can be no embedded database', async () => {
    const { code, output } = await admin(['org', 'list'], { env: { DATA_DIR: '/proc/parley' } });
    expect(code).to.equal(1);
    expect(output).to.match(/^DATA_DIR \/proc\/parley .+\nSet DATABASE_URL .+$/);
  });
});
