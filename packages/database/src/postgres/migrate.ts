import { Kysely, Migrator, PostgresDialect, type MigrationResult } from 'kysely';
import pg from 'pg';
import { outliveConnections } from './pool.js';
import * as foundation from './migrations/0001-foundation.js';
import * as toolCalls from './migrations/0002-tool-calls.js';
import * as idempotency from './migrations/0003-idempotency.js';
import * as filters from './migrations/0004-filters.js';
import * as files from './migrations/0005-files.js';
import * as webhooks from './migrations/0006-webhooks.js';
import * as questions from './migrations/0007-questions.js';
import * as quotas from './migrations/0008-quotas.js';
import * as approvers from './migrations/0009-approvers.js';
import * as record from './migrations/0010-record.js';
import * as turns from './migrations/0011-turns.js';
import * as passing from './migrations/0012-passing-conversations.js';
import * as accounts from './migrations/0013-accounts.js';
import * as insight from './migrations/0014-insight.js';
import * as agentVersion from './migrations/0015-agent-version.js';
import * as approvalOwner from './migrations/0016-approval-owner.js';
import * as appendAudit from './migrations/0017-append-audit.js';
import * as movedSessions from './migrations/0018-moved-sessions.js';
import * as callItems from './migrations/0019-call-items.js';
import * as fallbackConnections from './migrations/0020-fallback-connections.js';
import * as successors from './migrations/0021-successors.js';
import * as suspendedCalls from './migrations/0022-suspended-calls.js';
import * as callsOfSessions from './migrations/0023-calls-of-sessions.js';

/** In order. A merged migration is never edited. */
const migrations = {
  '0001-foundation': foundation,
  '0002-tool-calls': toolCalls,
  '0003-idempotency': idempotency,
  '0004-filters': filters,
  '0005-files': files,
  '0006-webhooks': webhooks,
  '0007-questions': questions,
  '0008-quotas': quotas,
  '0009-approvers': approvers,
  '0010-record': record,
  '0011-turns': turns,
  '0012-passing-conversations': passing,
  '0013-accounts': accounts,
  '0014-insight': insight,
  '0015-agent-version': agentVersion,
  '0016-approval-owner': approvalOwner,
  '0017-append-audit': appendAudit,
  '0018-moved-sessions': movedSessions,
  '0019-call-items': callItems,
  '0020-fallback-connections': fallbackConnections,
  '0021-successors': successors,
  '0022-suspended-calls': suspendedCalls,
  '0023-calls-of-sessions': callsOfSessions,
};

// 'parley' as a number: the lock that serializes migrations.
const migrationLock = 0x7061_726c;

/**
 * Brings the schema up to date. Any number of processes may call it at once: one works, and the
 * others wait and find it done.
 */
export async function migrate(url: string): Promise<{ applied: string[] }> {
  const pool = new pg.Pool({ connectionString: url, max: 2, connectionTimeoutMillis: 5000 });
  outliveConnections(pool, () => undefined);
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const lock = await pool.connect();
  try {
    await lock.query('select pg_advisory_lock($1)', [migrationLock]);
    const executed = await executedBy(lock);
    // A later version may have migrated further: migrations are additive, so this one works with it.
    if (Object.keys(migrations).every((name) => executed.has(name))) return { applied: [] };
    const migrator = new Migrator({
      db,
      provider: { getMigrations: () => Promise.resolve(migrations) },
    });
    const { error, results } = await migrator.migrateToLatest();
    if (error !== undefined) throw migrationFailure(error, results);
    return { applied: (results ?? []).map(({ migrationName }) => migrationName) };
  } finally {
    lock.release(true);
    await db.destroy();
  }
}

async function executedBy(client: pg.ClientBase): Promise<Set<string>> {
  const table = await client.query<{ exists: boolean }>(
    `select to_regclass('kysely_migration') is not null as exists`,
  );
  if (!table.rows[0]!.exists) return new Set();
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration');
  return new Set(rows.map(({ name }) => name));
}

function migrationFailure(cause: unknown, results: MigrationResult[] | undefined): Error {
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(
    failed ? `Migration ${failed} failed: ${reason}` : `Migration failed: ${reason}`,
    { cause },
  );
}
