import pg from 'pg';
import { insertOrganization, type Database, type FileStorage } from '@parley/database';
import { openFileStore, type FileStore } from '@parley/file-store';
import { migratedDatabase } from '@parley/testkit';

export type Organization = { id: string; agentId: string };
export type AddedFiles = { count: number; expiresInSeconds: number; storage?: FileStorage };

/** A record with rows of any age: written as the owner of the tables, past row-level security and defaults. */
export type TestRecord = {
  url: string;
  database: Database;
  files: FileStore;
  owner: pg.Client;
  newOrganization(): Promise<Organization>;
  addConversations(of: Organization, rows: { count: number; daysAgo: number }): Promise<string[]>;
  addSession(conversationId: string, secondsAgo: number): Promise<string>;
  addFiles(of: Organization, rows: AddedFiles): Promise<void>;
  values(statement: string, parameters?: unknown[]): Promise<unknown[]>;
  clear(): Promise<void>;
  drop(): Promise<void>;
};

export async function openRecord(): Promise<TestRecord> {
  const db = await migratedDatabase();
  const { url, database } = db;
  const files = await openFileStore(database, {
    FILE_STORAGE: 'postgres',
    S3_REGION: 'us-east-1',
    S3_FORCE_PATH_STYLE: false,
  });
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  /** The first column of each row. */
  const values = async (statement: string, parameters: unknown[] = []): Promise<unknown[]> => {
    const { rows } = await owner.query<unknown[]>({
      text: statement,
      values: parameters,
      rowMode: 'array',
    });
    return rows.map(([value]) => value);
  };
  return {
    url,
    database,
    files,
    owner,
    values,
    async newOrganization() {
      const { id } = await database.asSystem((system) => insertOrganization(system, { name: 'O' }));
      const [agentId] = await values(
        `insert into agents (organization_id, name, description, system_message, voice, realtime_enabled, tools)
         values ($1, 'A', '', '', 'alloy', true, '[]') returning id`,
        [id],
      );
      return { id, agentId: agentId as string };
    },
    async addConversations({ id, agentId }, { count, daysAgo }) {
      const ids = await values(
        `insert into conversations (organization_id, agent_id, updated_at)
         select $1, $2, now() - make_interval(days => $4) from generate_series(1, $3) returning id`,
        [id, agentId, count, daysAgo],
      );
      return ids as string[];
    },
    async addSession(conversationId, secondsAgo) {
      const [id] = await values(
        `insert into realtime_sessions (organization_id, agent_id, conversation_id, token_hash, started_at)
         select organization_id, agent_id, id, sha256(gen_random_uuid()::text::bytea), now() - make_interval(secs => $2)
         from conversations where id = $1 returning id`,
        [conversationId, secondsAgo],
      );
      return id as string;
    },
    async addFiles({ id }, { count, expiresInSeconds, storage = 'postgres' }) {
      await owner.query(
        `insert into temporary_files (organization_id, name, media_type, size_bytes, storage, uploaded_at, expires_at)
         select $1, 'f', 'text/plain', 1, $4, now(), now() + make_interval(secs => $3) from generate_series(1, $2)`,
        [id, count, expiresInSeconds, storage],
      );
    },
    async clear() {
      await owner.query('truncate organizations cascade');
    },
    async drop() {
      await owner.end();
      await db.drop();
    },
  };
}
