import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import * as foundation from '#src/postgres/migrations/0001-foundation.js';
import * as toolCalls from '#src/postgres/migrations/0002-tool-calls.js';
import * as idempotency from '#src/postgres/migrations/0003-idempotency.js';
import * as filters from '#src/postgres/migrations/0004-filters.js';
import * as files from '#src/postgres/migrations/0005-files.js';
import * as webhooks from '#src/postgres/migrations/0006-webhooks.js';
import * as questions from '#src/postgres/migrations/0007-questions.js';
import * as quotas from '#src/postgres/migrations/0008-quotas.js';
import * as approvers from '#src/postgres/migrations/0009-approvers.js';
import { testDatabase, type TestDatabase } from '@parley/testkit';

describe('a migration of data that is there', () => {
  let target: TestDatabase;
  let db: Kysely<unknown>;
  before(async () => {
    target = await testDatabase();
    const pool = new pg.Pool({ connectionString: target.url });
    // It ends before its connections have, which dropping the database then breaks.
    pool.on('error', () => undefined);
    db = new Kysely({ dialect: new PostgresDialect({ pool }) });
    const former = [foundation, toolCalls, idempotency, filters, files, webhooks, questions];
    for (const { up } of former) await up(db);
  });
  after(async () => {
    await db.destroy();
    await target.drop();
  });

  it('counts what was used today, for each organization', async () => {
    const [one, two, agent, talk, session] = Array.from({ length: 5 }, () => randomUUID());
    await sql
      .raw(
        `insert into organizations (id, name) values ('${one}', 'One'), ('${two}', 'Two');
         insert into agents (id, organization_id, name, description, system_message, voice, realtime_enabled, tools)
           values ('${agent}', '${one}', 'A', '', '', 'alloy', true, '[]');
         insert into conversations (id, organization_id, agent_id) values ('${talk}', '${one}', '${agent}');
         insert into realtime_sessions (id, organization_id, agent_id, conversation_id, token_hash)
           values ('${session}', '${one}', '${agent}', '${talk}', '\\x00');
         insert into usage_records (organization_id, conversation_id, session_id, source, source_id, model,
             input_text_tokens, input_audio_tokens, input_cached_tokens, output_text_tokens, output_audio_tokens, created_at)
           values ('${one}', '${talk}', '${session}', 'response', 'r1', 'm', 1, 2, 100, 4, 8, now()),
                  ('${one}', '${talk}', '${session}', 'transcription', 'i1', 'm', 16, 0, 0, 0, 0, now()),
                  ('${one}', '${talk}', '${session}', 'response', 'r0', 'm', 32, 0, 0, 0, 0, now() - interval '25 hours');`,
      )
      .execute(db);
    await quotas.up(db);
    const { rows } = await sql<Record<string, unknown>>`
      select organization_id as organization, tokens::int as tokens,
        day = (now() at time zone 'utc')::date as today from usage_days`.execute(db);
    expect(rows).to.deep.equal([{ organization: one, tokens: 31, today: true }]);
  });

  it('keeps what is there, and knows which tasks an agent wrote', async () => {
    const [org, agent, talk, said, own] = Array.from({ length: 5 }, () => randomUUID());
    await sql
      .raw(
        `insert into organizations (id, name) values ('${org}', 'O');
         insert into agents (id, organization_id, name, description, system_message, voice, realtime_enabled, tools)
           values ('${agent}', '${org}', 'A', '', '', 'alloy', true, '[]');
         insert into conversations (id, organization_id, agent_id) values ('${talk}', '${org}', '${agent}');
         insert into messages (organization_id, conversation_id, position, role, content, status)
           values ('${org}', '${talk}', 1, 'user', 'Hi.', 'completed');
         insert into tool_calls (organization_id, conversation_id, agent_id, call_id, name, arguments, status)
           values ('${org}', '${talk}', '${agent}', 'c', 'pay', '{}', 0);
         insert into tasks (id, organization_id, title, description, status, conversation_id, metadata)
           select id::uuid, '${org}', 'T', '', 'open', '${talk}', '{}' from unnest(array['${said}', '${own}']) id;
         insert into audit_log values ('${org}', 1, now(), '{"kind":"agent"}', 'task.created', 'task', '${said}', null, null, '', '');
         insert into audit_log values ('${org}', 2, now(), '{"kind":"key"}', 'task.created', 'task', '${own}', null, null, '', '');`,
      )
      .execute(db);
    await approvers.up(db);
    const { rows } = await sql<Record<string, unknown>>`
      select (select author from messages) as author, (select approvers from tool_calls) as approvers,
        (select audit_arguments from organizations where id = ${org}::uuid) as audited,
        (select written_in::text from tasks where id = ${said}::uuid) as said,
        (select written_in::text from tasks where id = ${own}::uuid) as own`.execute(db);
    expect(rows[0]).to.deep.equal({
      ...{ author: null, approvers: ['client', 'api'], audited: false },
      ...{ said: `{${talk}}`, own: '{}' },
    });
  });
});
