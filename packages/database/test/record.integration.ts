import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import pg from 'pg';
import { insertAgent } from '#src/agents/agents.js';
import { insertApiKey } from '#src/access/api-keys.js';
import { appendAudit } from '#src/audit/audit.js';
import { violatedConstraint } from '#src/postgres/availability.js';
import { insertConversation } from '#src/conversations/conversations.js';
import { deletedTables, keptTables } from '#src/organizations/organization-deletion.js';
import { insertOrganization } from '#src/organizations/organizations.js';
import { startRealtimeSession } from '#src/conversations/realtime-sessions.js';
import { verifyAudit } from '#src/audit/verify-audit.js';
import { migratedDatabase, plainAgent, type MigratedDatabase } from '@parley/testkit';

const actor = { kind: 'key', id: 'k', name: 'test' } as const;

describe('the record', () => {
  let db: MigratedDatabase;
  let owner: pg.Client;
  before(async () => {
    db = await migratedDatabase();
    owner = new pg.Client({ connectionString: db.url });
    await owner.connect();
  });
  after(async () => {
    await owner.end();
    await db.drop();
  });

  /** With one audit record, an agent, a conversation and a key. */
  const organization = async () => {
    const { id, keyId } = await db.database.asSystem(async (system) => {
      const made = await insertOrganization(system, { name: 'O' });
      const { record } = await insertApiKey(system, { organizationId: made.id, name: 'k' });
      return { id: made.id, keyId: record.id };
    });
    return db.database.inOrganization(id, async (scope) => {
      await appendAudit(scope, {
        actor,
        action: 'agent.created',
        resourceType: 'agent',
        resourceId: null,
      });
      const agentId = await insertAgent(scope, plainAgent);
      const { id: conversationId } = await insertConversation(scope, agentId);
      return { id, keyId, agentId, conversationId };
    });
  };
  const attempt = async (role: string | undefined, statement: string, id: string) => {
    await owner.query('begin');
    if (role !== undefined) await owner.query(`set local role ${role}`);
    await owner.query(`select set_config('parley.organization_id', $1, true)`, [id]);
    const outcome: unknown = await owner.query(statement, [id]).then(
      () => 'done',
      (error: unknown) => error,
    );
    await owner.query('rollback');
    return outcome;
  };

  for (const role of ['parley_app', 'parley_system'])
    for (const statement of [
      'delete from organizations where id = $1',
      'delete from audit_heads where organization_id = $1',
    ])
      it(`does not let ${role} ${statement}`, async () => {
        const { id } = await organization();
        const failure = await attempt(role, statement, id);
        expect((failure as Error).message).to.match(/permission denied/);
      });

  it('keeps the audit log when the owner of the tables deletes an organization', async () => {
    const { id } = await organization();
    const failure = await attempt(undefined, 'delete from organizations where id = $1', id);
    expect(violatedConstraint(failure)).to.match(/^audit_(log|heads)_organization_id_fkey$/);
    expect(await verifyAudit(db.database, id)).to.deep.equal({ ok: true, records: 1 });
  });

  it('carries the organization in every reference between its tables', async () => {
    const { rows } = await owner.query<{ name: string }>(
      `select conname as name from pg_constraint c
       where contype = 'f' and confrelid <> 'organizations'::regclass
         and conname not in ('tasks_conversation_id_fkey', 'members_user_id_fkey')
         and not exists (select from pg_attribute a where a.attrelid = c.conrelid
           and a.attnum = any(c.conkey) and a.attname = 'organization_id')`,
    );
    expect(rows).to.deep.equal([]);
  });

  it('knows of each table whether it goes with its organization', async () => {
    const { rows } = await owner.query<{ name: string }>(
      `select table_name as name from information_schema.columns
       where column_name = 'organization_id' and table_schema = 'public'`,
    );
    expect(rows.map(({ name }) => name)).to.have.members(
      [...deletedTables, ...keptTables].map(({ table }) => table),
    );
  });

  it('refuses a session in another organization’s conversation or with its key', async () => {
    const [ours, theirs] = [await organization(), await organization()];
    const start = async (wrong: Partial<typeof theirs>) => {
      const { agentId, conversationId, keyId } = { ...ours, ...wrong };
      const session = { agentId, conversationId, keyId, id: randomUUID() };
      const failure: unknown = await db.database
        .inOrganization(ours.id, (scope) =>
          startRealtimeSession(scope, { ...session, tokenHash: Buffer.from(session.id) }),
        )
        .then(
          () => ({}),
          (error: unknown) => error,
        );
      return violatedConstraint(failure);
    };
    const { agentId, conversationId, keyId } = theirs;
    expect(await start({ conversationId })).to.equal('realtime_sessions_conversation_id_fkey');
    expect(await start({ agentId })).to.equal('realtime_sessions_agent_id_fkey');
    expect(await start({ keyId })).to.equal('realtime_sessions_key_id_fkey');
    expect(await start({})).to.equal(undefined);
  });

  it('refuses a task of another organization’s conversation, and keeps one whose conversation is deleted', async () => {
    const [ours, theirs] = [await organization(), await organization()];
    const task = (conversationId: string) =>
      owner.query(
        `insert into tasks (organization_id, title, description, status, metadata, conversation_id)
         values ($1, 't', '', 'open', '{}', $2)`,
        [ours.id, conversationId],
      );
    const failure: unknown = await task(theirs.conversationId).catch((error: unknown) => error);
    expect(violatedConstraint(failure)).to.equal('tasks_conversation_of_organization_fkey');
    await task(ours.conversationId);
    await owner.query('delete from conversations where id = $1', [ours.conversationId]);
    const { rows } = await owner.query(
      'select conversation_id from tasks where organization_id = $1',
      [ours.id],
    );
    expect(rows).to.deep.equal([{ conversation_id: null }]);
  });
});
