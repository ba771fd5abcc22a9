import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { createSecretBox, insertWebhook, secretContext } from '@parley/database';
import {
  migratedDatabase,
  runNode,
  temporaryFolder,
  type MigratedDatabase,
  type ProgramOptions,
} from '@parley/testkit';

const main = join(import.meta.dirname, '../dist/main.js');
const absent = '99999999-9999-4999-8999-999999999999';

describe('the administrator’s command line', () => {
  let db: MigratedDatabase;
  before(async () => {
    db = await migratedDatabase();
  });
  after(() => db.drop());

  const admin = async (args: string[], { input, env }: ProgramOptions = {}) => {
    const program = runNode([main, ...args], {
      env: { DATABASE_URL: db.url, ...env },
      ...(input !== undefined && { input }),
    });
    return { code: await program.ended, output: program.output };
  };
  const json = async <T>(...args: string[]): Promise<T> => {
    const { code, output } = await admin([...args, '--json']);
    expect(code, output).to.equal(0);
    return JSON.parse(output) as T;
  };

  it('makes organizations and keys, and lists them as tables', async () => {
    const { id } = await json<{ id: string }>('org', 'create', '--name', 'Acme');
    const key = await json<{ id: string; apiKey: string; scopes: string[] }>(
      'key',
      'create',
      '--org',
      id,
      '--name',
      'backend',
      '--scopes',
      'agents, realtime',
      '--expires',
      '2040-01-01',
    );
    expect(key.apiKey).to.match(/^parley_live_/);
    expect(key.scopes).to.deep.equal(['agents', 'realtime']);
    expect((await admin(['org', 'list'])).output).to.match(
      new RegExp(`id +name +createdAt\\n(.*\\n)*${id} +Acme`),
    );
    const list = (await admin(['key', 'list', '--org', id])).output;
    expect(list).to.include('backend').and.include('agents,realtime').and.include('2040-01-01');
    expect(list).not.to.include(key.apiKey);
  });

  it('shows and sets the quotas of an organization, on the audit log', async () => {
    type Quotas = { quotas: { quota: string; limit: number; from: string; used: number | null }[] };
    const { id } = await json<{ id: string }>('org', 'create', '--name', 'Acme');
    const set = (...quotas: string[]) =>
      json<Quotas>('org', 'set', '--org', id, ...quotas.flatMap((one) => ['--quota', one]));
    const env = { QUOTA_QUESTIONS: '7' };
    const { output } = await admin(['org', 'show', '--org', id, '--json'], { env });
    const shown = JSON.parse(output) as Quotas;
    expect(shown.quotas).to.deep.include.members([
      { quota: 'questions', limit: 7, from: 'default', used: 0 },
      { quota: 'realtimeSessions', limit: 1000, from: 'default', used: 0 },
      { quota: 'mcpServersPerAgent', limit: 16, from: 'default', used: null },
    ]);
    const changed = await set('questions=3,tokensPerDay=0', 'fileBytes=5');
    expect(changed.quotas.map(({ quota, limit, from }) => [quota, limit, from])).to.deep.equal([
      ['realtimeSessions', 1000, 'default'],
      ['questions', 3, 'organization'],
      ['fileBytes', 5, 'organization'],
      ['tokensPerDay', 0, 'organization'],
      ['mcpServersPerAgent', 16, 'default'],
    ]);
    const back = await set('questions=default', 'fileBytes=');
    const own = back.quotas.filter(({ from }) => from === 'organization');
    expect(own.map(({ quota }) => quota)).to.deep.equal(['tokensPerDay']);
    expect(await json('audit', 'verify', '--org', id)).to.deep.equal({ ok: true, records: 3 });
    for (const wrong of [
      'questions',
      'questions=-1',
      'questions=1e3',
      'walks=1',
      'questions=1=2',
    ]) {
      const refused = await admin(['org', 'set', '--org', id, '--quota', wrong]);
      expect(refused.code, wrong).to.equal(1);
      expect(refused.output, wrong).to.match(/is not a quota|must be questions=/);
    }
  });

  it('asks before it revokes a key, and does nothing without a yes', async () => {
    const { id } = await json<{ id: string }>('org', 'create', '--name', 'Acme');
    const key = await json<{ id: string }>('key', 'create', '--org', id, '--name', 'k');
    for (const answer of ['', 'n\n', 'yesterday\n']) {
      const refused = await admin(['key', 'revoke', key.id], { input: answer });
      expect(refused.code).to.equal(1);
      expect(refused.output).to.include('Revoke the key "k"').and.include('Nothing was changed');
    }
    expect((await admin(['key', 'revoke', key.id], { input: 'y\n' })).code).to.equal(0);
    const { keys } = await json<{ keys: { revokedAt: string | null }[] }>(
      'key',
      'list',
      '--org',
      id,
    );
    expect(keys[0]!.revokedAt).to.be.a('string');
    expect(await json('audit', 'verify', '--org', id)).to.deep.equal({ ok: true, records: 3 });
  });

  it('names the first broken record of the audit log and fails', async () => {
    const { id } = await json<{ id: string }>('org', 'create', '--name', 'Acme');
    for (const name of ['a', 'b', 'c']) await json('key', 'create', '--org', id, '--name', name);
    const owner = new pg.Client({ connectionString: db.url });
    await owner.connect();
    await owner.query(
      `update audit_log set action = 'forged' where organization_id = $1 and sequence = 2`,
      [id],
    );
    await owner.end();
    const { code, output } = await admin(['audit', 'verify', '--org', id]);
    expect(code).to.equal(1);
    expect(output).to.equal('The chain breaks at record 2: its content was changed.');
  });

  it('encrypts stored secrets anew after asking, and names those that it cannot read', async () => {
    const [key, oldKey, lostKey] = [1, 2, 3].map((fill) =>
      Buffer.alloc(32, fill).toString('base64'),
    );
    const { id } = await json<{ id: string }>('org', 'create', '--name', 'Acme');
    const store = (secretsKey: string) =>
      db.database.inOrganization(id, async (scope) => {
        const webhookId = randomUUID();
        const secret = createSecretBox(secretsKey).seal('s', secretContext.webhook(webhookId));
        const webhook = { id: webhookId, url: 'https://example.com', events: [], enabled: true };
        await insertWebhook(scope, { ...webhook, secret });
        return webhookId;
      });
    await store(oldKey!);
    const keys = { SECRETS_KEY: key!, SECRETS_KEY_PREVIOUS: oldKey! };
    const reencrypt = (input: string, ...args: string[]) =>
      admin(['secrets', 'reencrypt', ...args], { input, env: keys });

    const refused = await reencrypt('n\n');
    expect(refused.code).to.equal(1);
    expect(refused.output).to.include('Encrypt all stored secrets with SECRETS_KEY?');
    const done = await reencrypt('y\n');
    expect(done.code, done.output).to.equal(0);
    expect(done.output)
      .to.match(/kind +resealed +current +unreadable\n(.*\n)*webhook +1 +0 +0\n/)
      .and.match(/Everything is encrypted with SECRETS_KEY\.$/);

    const lost = await store(lostKey!);
    const failed = await reencrypt('', '--yes');
    expect(failed.code).to.equal(1);
    expect(failed.output)
      .to.match(/webhook +0 +1 +1\n/)
      .and.include(`webhook/${lost} of organization ${id}`)
      .and.include('Name the key that they were stored with in SECRETS_KEY_PREVIOUS');
    const told = JSON.parse((await reencrypt('', '--json')).output) as { unreadable: object[] };
    expect(told.unreadable).to.deep.equal([{ organizationId: id, secret: `webhook/${lost}` }]);
  });

  it('creates users, each email once', async () => {
    const { id } = await json<{ id: string }>('org', 'create', '--name', 'Acme');
    await json('user', 'create', '--org', id, '--email', 'ada@example.com');
    const again = await admin(['user', 'create', '--org', id, '--email', 'Ada@example.com']);
    expect(again.code).to.equal(1);
    expect(again.output).to.include('There is a user Ada@example.com already');
  });

  it('migrates, and says when there is nothing to do', async () => {
    expect((await admin(['migrate'])).output).to.equal('The schema is up to date.');
  });

  it('lists its commands', async () => {
    const { code, output } = await admin(['help']);
    expect(code).to.equal(0);
    for (const command of [
      'org create',
      'org list',
      'key create',
      'key list',
      'key revoke',
      'user create',
      'migrate',
      'audit verify',
      'secrets reencrypt',
    ])
      expect(output).to.include(command);
  });

  const mistakes: [string[], RegExp][] = [
    [['org', 'destroy'], /no command 'org destroy'/],
    [['org', 'create'], /--name is missing/],
    [['org', 'create', '--name', ' '], /--name is missing/],
    [['org', 'list', '--email', 'x'], /--email does not go with org list/],
    [['key', 'create', '--org', absent, '--name', 'x'], /no organization/],
    [['key', 'create', '--org', 'acme', '--name', 'x'], /no organization acme/],
    [['key', 'revoke'], /id is missing/],
    [['key', 'revoke', absent, '--yes'], /no key/],
    [['key', 'list', '--org', absent, 'more', 'words'], /too many/],
    [['org', 'list', '--colour'], /--colour/],
    [['org', 'list', 'more'], /'more' is too many/],
    [['migrate', '--org', absent], /--org does not go with migrate/],
    [['secrets', 'reencrypt'], /SECRETS_KEY is missing/],
    [['secrets', 'reencrypt', '--json'], /SECRETS_KEY is missing/],
    [['org', 'create', '--name', 'a\u001b[31m'], /control character/],
  ];
  for (const [args, message] of mistakes)
    it(`explains ${args.join(' ')}`, async () => {
      const { code, output } = await admin(args);
      expect(code).to.equal(1);
      expect(output)
        .to.match(message)
        .and.not.match(/\n\s+at /);
    });

  for (const [option, value] of [
    ['--scopes', 'agents,flying'],
    ['--expires', 'tomorrow'],
    ['--expires', '2040-99-99'],
    ['--expires', '2040-02-31'],
    ['--expires', '2040-01-01 (noon)'],
    ['--expires', '2040-01-01T12:00'],
    ['--expires', '2020-01-01'],
  ])
    it(`explains ${option!} ${value!}`, async () => {
      const { id } = await json<{ id: string }>('org', 'create', '--name', 'Acme');
      const { code, output } = await admin([
        'key',
        'create',
        '--org',
        id,
        '--name',
        'x',
        option!,
        value!,
      ]);
      expect(code).to.equal(1);
      expect(output).to.match(/is not a scope|must be an ISO date/);
    });

  it('revokes a key once', async () => {
    const { id } = await json<{ id: string }>('org', 'create', '--name', 'Acme');
    const key = await json<{ id: string }>('key', 'create', '--org', id, '--name', 'k');
    await json('key', 'revoke', key.id);
    const again = await admin(['key', 'revoke', key.id, '--yes']);
    expect(again.code).to.equal(1);
    expect(again.output).to.include('The key was revoked at');
    expect(await json('audit', 'verify', '--org', id)).to.deep.equal({ ok: true, records: 3 });
  });

  it('makes no database for a command that it does not know', async () => {
    const dataDir = join(await temporaryFolder(), 'data');
    const program = runNode([main, 'org', 'destroy'], { env: { DATA_DIR: dataDir } });
    expect(await program.ended).to.equal(1);
    expect(existsSync(dataDir)).to.equal(false);
  });

  it('uses the embedded database under DATA_DIR when no DATABASE_URL is set', async () => {
    const env = { DATA_DIR: join(await temporaryFolder(), 'data') };
    const created = runNode([main, 'org', 'create', '--name', 'Here', '--json'], { env });
    expect(await created.ended, created.output).to.equal(0);
    const listed = runNode([main, 'org', 'list'], { env });
    await listed.ended;
    expect(listed.output).to.include('Here');
    const reencrypt = async () => {
      const program = runNode([main, 'secrets', 'reencrypt', '--yes'], { env });
      return { code: await program.ended, output: program.output };
    };
    expect(await reencrypt()).to.have.property('code', 1);
    await writeFile(join(env.DATA_DIR, 'secrets.key'), Buffer.alloc(32).toString('base64'));
    expect(await reencrypt()).to.have.property('code', 0);
  });

  it('names DATABASE_URL where there can be no embedded database', async () => {
    const program = runNode([main, 'org', 'list'], { env: { DATA_DIR: '/proc/parley' } });
    expect(await program.ended).to.equal(1);
    expect(program.output).to.match(/^DATA_DIR \/proc\/parley .+\nDATABASE_URL names .+$/);
  });
});
