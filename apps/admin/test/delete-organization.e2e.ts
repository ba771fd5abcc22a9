import { randomUUID } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  appendAudit,
  bootstrapOrganization,
  insertAgent,
  insertApiKey,
  insertConversation,
  insertMessages,
  insertOrganization,
  unusableOpeners,
} from '@parley/database';
import {
  appProgram,
  migratedDatabase,
  plainAgent,
  runNode,
  temporaryFolder,
  type MigratedDatabase,
} from '@parley/testkit';

const main = appProgram('admin');
const actor = { kind: 'system', name: 'test' } as const;
const said = 'What is my balance?';

describe('org delete', () => {
  let db: MigratedDatabase;
  let folder: string;
  before(async () => {
    db = await migratedDatabase();
    folder = await temporaryFolder();
  });
  after(() => db.drop());

  const admin = async (args: string[], input = '') => {
    const program = runNode([main, ...args], { env: { DATABASE_URL: db.url }, input });
    return { code: await program.ended, output: program.output };
  };
  const organization = async () => {
    const { id, key } = await db.database.asSystem(async (system) => {
      const made = await insertOrganization(system, { name: 'Acme' });
      return {
        id: made.id,
        key: await insertApiKey(system, { organizationId: made.id, name: 'k' }),
      };
    });
    await db.database.inOrganization(id, async (scope) => {
      const agentId = await insertAgent(scope, plainAgent);
      const { id: conversationId } = await insertConversation(scope, agentId);
      await insertMessages(scope, [{ ...message, id: randomUUID(), conversationId }]);
      await scope.trx
        .insertInto('tasks')
        .values({ ...task, organizationId: id, agentId, conversationId })
        .execute();
      await appendAudit(scope, {
        ...{ actor, action: 'agent.created', resourceType: 'agent', resourceId: agentId },
      });
    });
    return { id, keyId: key.record.id, key: key.key };
  };
  const rowsOf = (id: string) =>
    db.database.inOrganization(id, async ({ trx }) => {
      const tables = ['conversations', 'messages', 'agents', 'tasks'] as const;
      const counts = await Promise.all(
        tables.map((table) => trx.selectFrom(table).select('id').execute()),
      );
      return counts.map(({ length }) => length);
    });

  it('asks first, and does nothing without a yes or into a file that exists', async () => {
    const { id, keyId } = await organization();
    const taken = join(folder, 'taken.jsonl');
    await writeFile(taken, 'kept');
    const refused = await admin(['org', 'delete', '--org', id, '--export', taken], 'n\n');
    expect(refused.output).to.include('Delete the organization "Acme"?').and.include(taken);
    const exists = await admin(['org', 'delete', '--org', id, '--export', taken, '--yes']);
    expect(exists.output).to.match(
      /--export .*taken\.jsonl cannot be written: The file already exists/,
    );
    const nowhere = await admin(['org', 'delete', '--org', id, '--yes']);
    expect(nowhere.output).to.include('--export is missing');
    expect([refused.code, exists.code, nowhere.code]).to.deep.equal([1, 1, 1]);
    expect(await readFile(taken, 'utf8')).to.equal('kept');
    expect(await rowsOf(id)).to.deep.equal([1, 1, 1, 1]);
    const unusable = await db.database.asSystem((system) => unusableOpeners(system, [keyId]));
    expect([...unusable]).to.deep.equal([]);
  });

  it('exports everything but secrets, deletes it, and leaves an audit log that verifies', async () => {
    const [gone, other] = [await organization(), await organization()];
    const path = join(folder, 'acme.jsonl');
    const done = await admin(['org', 'delete', '--org', gone.id, '--export', path], 'y\n');
    expect(done.code, done.output).to.equal(0);

    const text = await readFile(path, 'utf8');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { table: string; row: Record<string, unknown> });
    const tables = lines.map(({ table }) => table);
    expect(tables).to.include.members(['organizations', 'api_keys', 'agents', 'conversations']);
    expect(lines.find(({ table }) => table === 'messages')?.row['content']).to.equal(said);
    const actions = lines.flatMap(({ table, row }) =>
      table === 'audit_log' ? [row['action']] : [],
    );
    expect(actions).to.deep.equal(['agent.created', 'organization.deleted']);
    expect(text).not.to.match(/key_hash|"secret"|password_hash|token_hash/);
    expect((await stat(path)).mode & 0o777).to.equal(0o600);

    expect(await rowsOf(gone.id)).to.deep.equal([0, 0, 0, 0]);
    expect(await rowsOf(other.id)).to.deep.equal([1, 1, 1, 1]);
    const keys = [gone.keyId, other.keyId];
    const unusable = await db.database.asSystem((system) => unusableOpeners(system, keys));
    expect([...unusable]).to.deep.equal([gone.keyId]);
    const verified = await admin(['audit', 'verify', '--org', gone.id]);
    expect(verified.output).to.match(/chain of 2 record\(s\) is intact.* was deleted at 20/);
    const refused = await admin(['key', 'create', '--org', gone.id, '--name', 'back']);
    expect(refused.output).to.include('was deleted');
  });

  it('is not undone by the next start of a deployment that was configured with it', async () => {
    const { id, key } = await organization();
    const path = join(folder, 'bootstrapped.jsonl');
    await admin(['org', 'delete', '--org', id, '--export', path, '--yes']);
    const wanted = { organizationId: id, organizationName: 'B', apiKey: key, keyName: 'b' };
    expect(await bootstrapOrganization(db.database, wanted)).to.equal(false);
    expect((await admin(['key', 'list', '--org', id])).output).to.include('was deleted');
  });
});

const message = {
  sessionId: null,
  position: 1,
  role: 'user',
  content: said,
  status: 'completed',
  itemId: null,
  contentIndex: 0,
  interrupted: false,
  audioEndMs: null,
  usage: null,
  createdAt: new Date(),
} as const;

const task = {
  title: 'Call back',
  description: '',
  status: 'open',
  dueAt: null,
  externalId: null,
  metadata: '{}',
} as const;
