import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { migrations } from './migrations.js';
import { outliveConnections } from './pool.js';

/** How migrations give way to those who use their tables. */
type Manners = {
  /** How long to wait for a table: whoever else needs it meanwhile waits, too. */
  readonly lockMs: number;
  /** How long to try again if a table is not free. */
  readonly retryMs: number;
  /** Lets the others work before the next try. */
  readonly pause: () => Promise<unknown>;
  /** Called with the name of a migration, whenever it has to try again. */
  readonly onBlocked: (migration: string) => void;
};

const manners: Manners = {
  lockMs: 5000,
  retryMs: 120_000,
  pause: () => delay(5000),
  onBlocked: () => undefined,
};

/**
 * Brings the schema up to date. Any number of processes may call it at once: one works, and the
 * others wait and find it done. Each migration is a transaction: it locks no table while the next
 * one works, and stays applied if that fails.
 */
export async function migrate(
  url: string,
  changes: Partial<Manners> = {},
): Promise<{ applied: string[] }> {
  const { lockMs, retryMs, pause, onBlocked } = { ...manners, ...changes };
  const pool = new pg.Pool({ connectionString: url, max: 2, connectionTimeoutMillis: 5000 });
  outliveConnections(pool, () => undefined);
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const alone = await pool.connect();
  try {
    await waitForOthers(alone);
    const pending = pendingAfter(await executedOn(db));
    const deadline = performance.now() + retryMs;
    for (const name of pending) {
      const giveWay = () => {
        onBlocked(name);
        return pause();
      };
      await persist(() => apply(db, name, lockMs), { deadline, giveWay }).catch(
        (cause: unknown) => {
          throw failed(name, cause);
        },
      );
    }
    return { applied: pending };
  } finally {
    alone.release(true);
    await db.destroy();
  }
}

type Name = keyof typeof migrations;
const known = Object.keys(migrations) as Name[];

// 'parley' as a number: the lock that serializes migrations.
const migrationLock = 0x7061_726c;

/**
 * The lock belongs to a transaction, not to a session, so that it ends with its client behind a
 * transaction pooler, too. No timeout of the server ends it earlier.
 */
async function waitForOthers(client: pg.ClientBase): Promise<void> {
  await client.query(`begin; set local lock_timeout = 0; set local statement_timeout = 0;
    set local idle_in_transaction_session_timeout = 0`);
  await client.query('select pg_advisory_xact_lock($1)', [migrationLock]);
}

/** In the table that Kysely's migrator created for earlier versions, or in a new one like it. */
async function executedOn(db: Kysely<unknown>): Promise<Set<string>> {
  const table = await sql`select where to_regclass('kysely_migration') is not null`.execute(db);
  if (table.rows.length === 0)
    await sql`create table kysely_migration
      (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(db);
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

/**
 * None if a later version has migrated further: migrations are additive, so this one works with it.
 */
function pendingAfter(executed: ReadonlySet<string>): Name[] {
  const pending = known.filter((name) => !executed.has(name));
  const former = known.slice(0, executed.size);
  const missing = former.find((name) => !executed.has(name));
  if (pending.length > 0 && missing !== undefined) {
    const others = [...executed].filter((name) => !former.includes(name as Name));
    throw new Error(`Migration failed: ${others.join(', ')} was applied without ${missing}`);
  }
  return pending;
}

async function apply(db: Kysely<unknown>, name: Name, lockMs: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select set_config('lock_timeout', ${String(lockMs)}, true),
                     set_config('statement_timeout', '0', true)`.execute(trx);
    await migrations[name].up(trx);
    await sql`insert into kysely_migration (name, timestamp) values (${name},
      to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`.execute(trx);
  });
}

/** Keeps the code, which tells whether it may succeed later. */
function failed(name: Name, cause: unknown): Error {
  const { message = String(cause), code } = cause as { message?: string; code?: string };
  return Object.assign(new Error(`Migration ${name} failed: ${message}`, { cause }), { code });
}

/** A table was not free in time, or somebody waited for the migration in turn. */
const lockConflicts = ['55P03', '40P01'];

async function persist<T>(
  attempt: () => Promise<T>,
  { deadline, giveWay }: { deadline: number; giveWay: () => Promise<unknown> },
): Promise<T> {
  for (;;)
    try {
      return await attempt();
    } catch (error) {
      const { code = '' } = error as { code?: string };
      if (!lockConflicts.includes(code) || performance.now() >= deadline) throw error;
      await giveWay();
    }
}
