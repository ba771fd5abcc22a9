import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import pg from 'pg';
import {
  createSecretBox,
  findPassword,
  insertWebhook,
  redeemSignInLink,
  secretContext,
  verifyPassword,
} from '@parley/database';
import { keyRememberedMs, quotaDefaults } from '@parley/protocol';
import { requireConfig } from '@parley/service-kit';
import { migratedDatabase, type MigratedDatabase } from '@parley/testkit';
import { readArguments, run } from '#src/command-line.js';
import { UsageError } from '#src/usage.js';

const absent = '99999999-9999-4999-8999-999999999999';

type Call = { input?: string; secretsKey?: string; previousKeys?: string[] };
const settings = { QUOTA_QUESTIONS: '7' };

describe('the administrator’s commands', () => {
  let db: MigratedDatabase;
  before(async () => {
    db = await migratedDatabase();
  });
  after(() => db.drop());

  /** One command in this process, and what a terminal shows of it. */
  const admin = async (args: string[], { input = '', secretsKey, previousKeys }: Call = {}) => {
    const lines: string[] = [];
    const secretBox = () => {
      if (secretsKey === undefined) return Promise.reject(new UsageError('SECRETS_KEY is missing'));
      return Promise.resolve(createSecretBox(secretsKey, previousKeys));
    };
    const terminal = { stdin: Readable.from([input]), print: (text: string) => lines.push(text) };
    const quotas = quotaDefaults(requireConfig('admin', settings).config);
    const publicUrl = 'https://parley.example.com';
    const deployment = { url: db.url, secretBox, quotas, publicUrl };
    const ok = await run(readArguments(args), deployment, terminal).catch((error: unknown) => {
      if (!(error instanceof UsageError)) throw error;
      lines.push(error.message);
      return false;
    });
    return { ok, output: lines.join('\n') };
  };
  const json = async <T>(...args: string[]): Promise<T> => {
    const { ok, output } = await admin([...args, '--json']);
    expect(ok, output).to.equal(true);
    return JSON.parse(output) as T;
  };
  const organization = async () =>
    (await json<{ id: string }>('org', 'create', '--name', 'Acme')).id;

  it('make organizations and keys, and list them as tables', async () => {
    const id = await organization();
    const key = await json<{ id: string; apiKey: string; scopes: string[] }>(
      ...['key', 'create', '--org', id, '--name', 'backend'],
      ...['--scopes', 'agents, realtime', '--expires', '2040-01-01'],
    );
    expect(key.apiKey).to.match(/^parley_live_/);
    expect(key.scopes).to.deep.equal(['agents', 'realtime']);
    expect((await admin(['org', 'list'])).output).to.match(
      new RegExp(`id +name +createdAt.*\\n(.*\\n)*${id} +Acme`),
    );
    const list = (await admin(['key', 'list', '--org', id])).output;
    expect(list).to.include('backend').and.include('agents,realtime').and.include('2040-01-01');
    expect(list).not.to.include(key.apiKey);
  });

  it('set whether the audit log has the arguments of approved calls', async () => {
    const id = await organization();
    const set = (value: string) => ['org', 'set', '--org', id, '--audit-arguments', value];
    expect(await json(...set('on'))).to.include({ id, auditArguments: true });
    expect(await json(...set('off'))).to.include({ id, auditArguments: false });
    const refused = await admin(set('maybe'));
    expect(refused.ok).to.equal(false);
    expect(refused.output).to.include('--audit-arguments must be on or off.');
    expect((await json<{ records: number }>('audit', 'verify', '--org', id)).records).to.equal(3);
  });

  it('show and set the quotas of an organization, on the audit log', async () => {
    type Quotas = { quotas: { quota: string; limit: number; from: string; used: number | null }[] };
    const id = await organization();
    const set = (...quotas: string[]) =>
      json<Quotas>('org', 'set', '--org', id, ...quotas.flatMap((one) => ['--quota', one]));
    const shown = await json<Quotas>('org', 'show', '--org', id);
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
  });

  for (const wrong of ['questions', 'questions=-1', 'questions=1e3', 'walks=1', 'questions=1=2'])
    it(`explain --quota ${wrong}`, async () => {
      const { ok, output } = await admin(['org', 'set', '--org', absent, '--quota', wrong]);
      expect(ok).to.equal(false);
      expect(output).to.match(/is not a quota|must be questions=/);
    });

  it('ask before they revoke a key, and do nothing without a yes', async () => {
    const id = await organization();
    const key = await json<{ id: string }>('key', 'create', '--org', id, '--name', 'k');
    for (const answer of ['', 'n\n', 'yesterday\n']) {
      const refused = await admin(['key', 'revoke', key.id], { input: answer });
      expect(refused.ok).to.equal(false);
      expect(refused.output).to.include('Revoke the key "k"').and.include('nothing was changed');
    }
    expect(await admin(['key', 'revoke', key.id], { input: 'y\n' })).to.have.property('ok', true);
    const { keys } = await json<{ keys: { revokedAt: string | null }[] }>(
      ...['key', 'list', '--org', id],
    );
    expect(keys[0]!.revokedAt).to.be.a('string');
  });

  it('revoke a key once', async () => {
    const id = await organization();
    const key = await json<{ id: string }>('key', 'create', '--org', id, '--name', 'k');
    const revoked = await json<{ revokedAt: string }>('key', 'revoke', key.id);
    // By then, no process remembers the key.
    expect(Date.now() - Date.parse(revoked.revokedAt)).to.be.at.least(keyRememberedMs - 1);
    const again = await admin(['key', 'revoke', key.id, '--yes']);
    expect(again.ok).to.equal(false);
    expect(again.output).to.include('The key was revoked at');
    expect(await json('audit', 'verify', '--org', id)).to.deep.equal({ ok: true, records: 3 });
  });

  it('name the first broken record of the audit log and fail', async () => {
    const id = await organization();
    for (const name of ['a', 'b', 'c']) await json('key', 'create', '--org', id, '--name', name);
    const owner = new pg.Client({ connectionString: db.url });
    await owner.connect();
    await owner.query(
      `update audit_log set action = 'forged' where organization_id = $1 and sequence = 2`,
      [id],
    );
    await owner.end();
    expect(await admin(['audit', 'verify', '--org', id])).to.deep.equal({
      ok: false,
      output: 'The chain breaks at record 2: its content was changed.',
    });
  });

  it('encrypt stored secrets anew after asking, and name those that they cannot read', async () => {
    const [key, oldKey, lostKey] = [1, 2, 3].map((fill) =>
      Buffer.alloc(32, fill).toString('base64'),
    );
    const id = await organization();
    const store = (secretsKey: string) =>
      db.database.inOrganization(id, async (scope) => {
        const webhookId = randomUUID();
        const secret = createSecretBox(secretsKey).seal('s', secretContext.webhook(webhookId));
        const webhook = { id: webhookId, url: 'https://example.com', events: [], enabled: true };
        await insertWebhook(scope, { ...webhook, secret });
        return webhookId;
      });
    await store(oldKey!);
    const reencrypt = (input: string, ...args: string[]) =>
      admin(['secrets', 'reencrypt', ...args], {
        input,
        secretsKey: key!,
        previousKeys: [oldKey!],
      });

    const refused = await reencrypt('n\n');
    expect(refused.ok).to.equal(false);
    expect(refused.output).to.include('Re-encrypt all stored secrets with SECRETS_KEY?');
    const done = await reencrypt('y\n');
    expect(done.ok, done.output).to.equal(true);
    expect(done.output)
      .to.match(/kind +resealed +current +unreadable\n(.*\n)*webhook +1 +0 +0\n/)
      .and.match(/Everything is encrypted with SECRETS_KEY\.$/);

    const lost = await store(lostKey!);
    const failed = await reencrypt('', '--yes');
    expect(failed.ok).to.equal(false);
    expect(failed.output)
      .to.match(/webhook +0 +1 +1\n/)
      .and.include(`webhook/${lost} of organization ${id}`)
      .and.include('Add the key that they were encrypted with to SECRETS_KEY_PREVIOUS');
    const told = JSON.parse((await reencrypt('', '--json')).output) as { unreadable: object[] };
    expect(told.unreadable).to.deep.equal([{ organizationId: id, secret: `webhook/${lost}` }]);
  });

  it('create users, each email once', async () => {
    const id = await organization();
    await json('user', 'create', '--org', id, '--email', 'ada@example.com');
    const again = await admin(['user', 'create', '--org', id, '--email', 'Ada@example.com']);
    expect(again.ok).to.equal(false);
    expect(again.output).to.include('User Ada@example.com already exists');
  });

  it('make a link that signs a member in, and with a role whoever is none yet', async () => {
    const id = await organization();
    const args = ['user', 'sign-in-link', '--org', id, '--email', 'ada@link.example'];
    const none = await admin(args);
    expect(none.output).to.include('has no user ada@link.example. Add --role to create one.');
    const { url, role } = await json<{ url: string; role: string }>(...args, '--role', 'owner');
    expect(url).to.match(/^https:\/\/parley\.example\.com\/console\/#sign-in=[\w-]{43}$/);
    expect(role).to.equal('owner');
    const again = await json<{ url: string }>(...args, '--role', 'viewer');
    expect(again).to.include({ role: 'owner' });
    const outcome = await db.database.asSystem((system) =>
      redeemSignInLink(system, url.split('=')[1] ?? ''),
    );
    expect(outcome).to.include({ outcome: 'redeemed', organizationId: id });
  });

  it('change a role, and list users', async () => {
    const id = await organization();
    const about = ['--org', id, '--email', 'ada@role.example'];
    await json('user', 'create', ...about, '--name', 'Ada');
    await json('user', 'role', ...about, '--role', 'editor');
    const { users } = await json<{ users: object[] }>('user', 'list', '--org', id);
    expect(users).to.have.length(1);
    expect(users[0]).to.include({ email: 'ada@role.example', name: 'Ada', role: 'editor' });
    const wrong = await admin(['user', 'role', ...about, '--role', 'constructor']);
    expect(wrong.output).to.include("'constructor' is not a role");
  });

  it('set a password that is piped in, and show it nowhere', async () => {
    const id = await organization();
    const about = ['--org', id, '--email', 'ada@password.example'];
    await json('user', 'create', ...about);
    const short = await admin(['user', 'password', ...about], { input: 'short\n' });
    expect(short.output).to.include('12 to 1000 characters');
    const set = await admin(['user', 'password', ...about], { input: 'correct horse battery\n' });
    expect(set.output).to.include('The password is set.').and.not.include('horse');
    const known = await db.database.asSystem((system) =>
      findPassword(system, 'ada@password.example'),
    );
    expect(await verifyPassword('correct horse battery', known?.passwordHash ?? null)).to.equal(
      true,
    );
  });

  it('remove a user of that organization alone, and record it', async () => {
    const [id, other] = [await organization(), await organization()];
    await json('user', 'create', '--org', id, '--email', 'grace@example.com');
    const remove = (org: string) =>
      admin(['user', 'remove', '--org', org, '--email', 'Grace@example.com', '--yes']);
    const foreign = await remove(other);
    expect(foreign.output).to.include('The organization has no user Grace@example.com.');
    expect((await remove(id)).ok).to.equal(true);
    expect((await remove(id)).ok).to.equal(false);
    const audited = await db.database.asSystem(({ trx }) =>
      trx.selectFrom('auditLog').select('action').where('organizationId', '=', id).execute(),
    );
    expect(audited.map(({ action }) => action)).to.include('member.deleted');
  });

  it('migrate, and say when there is nothing to do', async () => {
    expect((await admin(['migrate'])).output).to.equal('The schema is up to date.');
  });

  const mistakes: [string[], RegExp][] = [
    [['org', 'create'], /--name is missing/],
    [['org', 'create', '--name', ' '], /--name is missing/],
    [['org', 'create', '--name', 'a\u001b[31m'], /control character/],
    [['org', 'set', '--org', absent], /Nothing to set/],
    [['key', 'create', '--org', absent, '--name', 'x'], /Organization .+ does not exist/],
    [['key', 'create', '--org', 'acme', '--name', 'x'], /Organization acme does not exist/],
    [['key', 'revoke'], /id is missing/],
    [['key', 'revoke', absent, '--yes'], /Key .+ does not exist/],
    [['secrets', 'reencrypt'], /SECRETS_KEY is missing/],
    [['secrets', 'reencrypt', '--json'], /SECRETS_KEY is missing/],
  ];
  for (const [args, message] of mistakes)
    it(`explain ${args.join(' ')}`, async () => {
      const { ok, output } = await admin(args);
      expect(ok).to.equal(false);
      expect(output).to.match(message);
    });

  for (const [option, value] of [
    ['--scopes', 'agents,flying'],
    ['--expires', 'tomorrow'],
    ['--expires', '2040-99-99'],
    ['--expires', '2040-02-31'],
    ['--expires', '2040-01-01 (noon)'],
    ['--expires', '2040-01-01T12:00'],
    ['--expires', '2020-01-01'],
  ] as const)
    it(`explain ${option} ${value}`, async () => {
      const create = ['key', 'create', '--org', await organization(), '--name', 'x'];
      const { ok, output } = await admin([...create, option, value]);
      expect(ok).to.equal(false);
      expect(output).to.match(/is not a scope|must be an ISO date/);
    });
});
