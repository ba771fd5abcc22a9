import { sql, type Kysely } from 'kysely';

/**
 * A row can only refer to rows of its own organization: each reference includes the organization's
 * id. The audit log prevents its organization from being deleted, so that no cascade deletes the
 * log; a deleted organization stays as a row with `deleted_at`. Sessions and questions name the API
 * key that opened them, and end with it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const parents = new Set(references.map(({ parent }) => parent));
  const statements = [
    columns,
    ...[...parents].map(unique),
    ...references.map(reference),
    tasksOutliveConversations,
    auditLogStays,
    grants,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

type Reference = { table: string; column: string; parent: string; onDelete?: 'cascade' };

const references: readonly Reference[] = [
  { table: 'agents', column: 'connection_id', parent: 'connections' },
  { table: 'agent_secrets', column: 'agent_id', parent: 'agents', onDelete: 'cascade' },
  { table: 'conversations', column: 'agent_id', parent: 'agents' },
  { table: 'realtime_sessions', column: 'agent_id', parent: 'agents' },
  { table: 'realtime_sessions', column: 'key_id', parent: 'api_keys' },
  {
    table: 'realtime_sessions',
    column: 'conversation_id',
    parent: 'conversations',
    onDelete: 'cascade',
  },
  { table: 'messages', column: 'conversation_id', parent: 'conversations', onDelete: 'cascade' },
  { table: 'messages', column: 'session_id', parent: 'realtime_sessions' },
  { table: 'tool_calls', column: 'conversation_id', parent: 'conversations', onDelete: 'cascade' },
  { table: 'tool_calls', column: 'session_id', parent: 'realtime_sessions' },
  { table: 'tool_calls', column: 'message_id', parent: 'messages', onDelete: 'cascade' },
  { table: 'tool_calls', column: 'agent_id', parent: 'agents' },
  { table: 'tool_calls', column: 'parent_id', parent: 'tool_calls', onDelete: 'cascade' },
  {
    table: 'conversation_files',
    column: 'conversation_id',
    parent: 'conversations',
    onDelete: 'cascade',
  },
  { table: 'runs', column: 'agent_id', parent: 'agents' },
  { table: 'runs', column: 'key_id', parent: 'api_keys' },
  { table: 'runs', column: 'conversation_id', parent: 'conversations', onDelete: 'cascade' },
  {
    table: 'usage_records',
    column: 'conversation_id',
    parent: 'conversations',
    onDelete: 'cascade',
  },
  {
    table: 'usage_records',
    column: 'session_id',
    parent: 'realtime_sessions',
    onDelete: 'cascade',
  },
  { table: 'usage_records', column: 'run_id', parent: 'runs', onDelete: 'cascade' },
  { table: 'tasks', column: 'agent_id', parent: 'agents' },
  {
    table: 'temporary_file_chunks',
    column: 'file_id',
    parent: 'temporary_files',
    onDelete: 'cascade',
  },
  { table: 'webhook_deliveries', column: 'webhook_id', parent: 'webhooks', onDelete: 'cascade' },
];

const columns = `
  alter table organizations add column deleted_at timestamptz;
  alter table realtime_sessions add column key_id uuid;
  alter table runs add column key_id uuid;`;

const unique = (table: string) => `
  alter table ${table} add constraint ${table}_of_organization_key unique (organization_id, id);`;

const reference = ({ table, column, parent, onDelete }: Reference) => `
  alter table ${table} drop constraint if exists ${table}_${column}_fkey;
  alter table ${table} add constraint ${table}_${column}_fkey
    foreign key (organization_id, ${column}) references ${parent} (organization_id, id)
    ${onDelete ? `on delete ${onDelete}` : ''};`;

/**
 * Before PostgreSQL 15, a reference of two columns cannot set only one of them to null. So the
 * former reference still does that, and the new one is checked when the transaction ends.
 */
const tasksOutliveConversations = `
  alter table tasks add constraint tasks_conversation_of_organization_fkey
    foreign key (organization_id, conversation_id) references conversations (organization_id, id)
    deferrable initially deferred;`;

const auditLogStays = ['audit_log', 'audit_heads']
  .map(
    (table) => `
  alter table ${table} drop constraint ${table}_organization_id_fkey;
  alter table ${table} add constraint ${table}_organization_id_fkey
    foreign key (organization_id) references organizations on delete restrict;`,
  )
  .join('');

const grants = `
  revoke insert, update, delete on organizations from parley_app;
  revoke delete on organizations from parley_system;
  revoke delete on audit_heads from parley_app, parley_system;`;
