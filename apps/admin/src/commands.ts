import {
  findApiKey,
  insertApiKey,
  insertOrganization,
  listApiKeys,
  listOrganizations,
  migrate,
  recordChange,
  revokeApiKey,
  verifyAudit,
  type ApiKeyRecord,
} from '@parley/database';
import { allScopes, defaultScopes, isScope, isUuid, type Scope } from '@parley/protocol';
import { administrator, type Answer, type Command, type Input } from './command.js';
import { confirmDeletion, deleteOrganization } from './delete-organization.js';
import { keysForgotten } from './keys-forgotten.js';
import { anyOrganization, organizationOf, required } from './options.js';
import { organizationSettings } from './organization-settings.js';
import { printable } from './printable.js';
import { reencryptSecrets } from './reencrypt-secrets.js';
import { UsageError } from './usage.js';
import { userCommands } from './user-commands.js';

/** One or two words → what they do. The help text derives from it. */
export const commands: Record<string, Command> = {
  'org create': {
    usage: 'org create --name NAME',
    doc: 'Create an organization.',
    options: ['name'],
    run: async ({ database, options }) => {
      const name = required(options, 'name');
      const record = await database.asSystem(async (system) => {
        const made = await insertOrganization(system, { name });
        await recordChange(system, administrator, {
          action: 'organization.created',
          record: { ...made, organizationId: made.id },
        });
        return made;
      });
      return { json: record, rows: [record], note: 'To create a key for it, run: key create' };
    },
  },
  'org list': {
    usage: 'org list',
    doc: 'List the organizations.',
    options: [],
    run: async ({ database }) => {
      const organizations = await database.asSystem(listOrganizations);
      return { json: { organizations }, rows: organizations };
    },
  },
  ...organizationSettings,
  'org delete': {
    usage: 'org delete --org ID --export FILE',
    doc: 'Export an organization’s data to a new file as JSON lines, then delete it. This cannot be undone.',
    options: ['org', 'export'],
    confirm: confirmDeletion,
    run: deleteOrganization,
  },
  'key create': {
    usage: 'key create --org ID --name NAME [--scopes a,b] [--expires ISO]',
    doc: 'Create an API key, which is shown once. Without --scopes, it has all scopes except admin.',
    options: ['org', 'name', 'scopes', 'expires'],
    run: createKey,
  },
  'key list': {
    usage: 'key list --org ID',
    doc: 'List an organization’s keys.',
    options: ['org'],
    run: async ({ database, options }) => {
      const organizationId = await organizationOf(database, options);
      const keys = await database.asSystem((system) => listApiKeys(system, organizationId));
      return { json: { keys }, rows: keys.map(keyRow) };
    },
  },
  'key revoke': {
    usage: 'key revoke ID',
    doc: 'Revoke an API key immediately. This cannot be undone.',
    options: [],
    positional: true,
    confirm: async (input) => {
      const { name, masked } = await keyOf(input);
      return `Revoke the key "${printable(name)}" (${masked})? Requests with it will fail.`;
    },
    run: revokeKey,
  },
  ...userCommands,
  'audit verify': {
    usage: 'audit verify --org ID',
    doc: 'Verify the audit log’s hash chain and report the first broken record.',
    options: ['org'],
    run: verify,
  },
  'secrets reencrypt': {
    usage: 'secrets reencrypt',
    doc: 'Re-encrypt with SECRETS_KEY what is still encrypted with a key in SECRETS_KEY_PREVIOUS.',
    options: [],
    confirm: async ({ secretBox }) => {
      await secretBox();
      return 'Re-encrypt all stored secrets with SECRETS_KEY? Processes that run without this key will not be able to decrypt them.';
    },
    run: reencryptSecrets,
  },
  migrate: {
    usage: 'migrate',
    doc: 'Run database migrations.',
    options: [],
    run: async ({ url }) => {
      const { applied } = await migrate(url, {
        onBlocked: (name) =>
          process.stderr.write(`Migration ${name} waits for a table that is in use.\n`),
      });
      const note =
        applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The schema is up to date.';
      return { json: { applied }, rows: [], note };
    },
  },
};

async function createKey({ database, options }: Input): Promise<Answer> {
  const organizationId = await organizationOf(database, options);
  const fields = {
    organizationId,
    name: required(options, 'name'),
    scopes: scopesOf(options),
    expiresAt: expiryOf(options),
  };
  const { record, key } = await database.asSystem(async (system) => {
    const made = await insertApiKey(system, fields);
    await recordChange(system, administrator, { action: 'key.created', record: made.record });
    return made;
  });
  return {
    json: { ...record, apiKey: key },
    rows: [keyRow(record)],
    note: `API key (shown once): ${key}`,
  };
}

async function revokeKey(input: Input): Promise<Answer> {
  const { id, revokedAt } = await keyOf(input);
  if (revokedAt) throw new UsageError(`The key was revoked at ${revokedAt.toISOString()}.`);
  const revoked = await input.database.asSystem(async (system) => {
    await revokeApiKey(system, id);
    const record = await findApiKey(system, id);
    if (!record) throw new UsageError(`Key ${id} does not exist.`);
    await recordChange(system, administrator, { action: 'key.revoked', record });
    return record;
  });
  await keysForgotten();
  return { json: revoked, rows: [keyRow(revoked)] };
}

async function verify({ database, options }: Input): Promise<Answer> {
  const { id, deletedAt } = await anyOrganization(database, options);
  const verdict = await verifyAudit(database, id);
  const note = verdict.ok
    ? `The chain of ${verdict.records} record(s) is intact.`
    : `The chain breaks at record ${verdict.sequence}: ${verdict.reason}.`;
  const deletion = deletedAt ? ` The organization was deleted at ${deletedAt.toISOString()}.` : '';
  const json = { ...verdict, ...(deletedAt && { deletedAt }) };
  return { json, rows: [], note: note + deletion, failed: !verdict.ok };
}

async function keyOf({ database, positional }: Input): Promise<ApiKeyRecord> {
  if (positional === undefined)
    throw new UsageError('The key’s id is missing. To find it, run: key list');
  const key =
    isUuid(positional) && (await database.asSystem((system) => findApiKey(system, positional)));
  if (!key) throw new UsageError(`Key ${positional} does not exist. To list keys, run: key list`);
  return key;
}

function scopesOf({ scopes }: Readonly<Record<string, string>>): Scope[] {
  if (scopes === undefined) return defaultScopes;
  const chosen = scopes.split(',').map((text) => {
    const scope = text.trim();
    if (!isScope(scope))
      throw new UsageError(`'${scope}' is not a scope. Choose from ${allScopes.join(', ')}.`);
    return scope;
  });
  return [...new Set(chosen)];
}

function expiryOf({ expires }: Readonly<Record<string, string>>): Date | null {
  if (expires === undefined) return null;
  const date = new Date(expires);
  if (!isoDate.test(expires) || Number.isNaN(date.getTime()) || !isInCalendar(expires))
    throw new UsageError(
      '--expires must be an ISO date, such as 2030-12-31 or 2030-12-31T12:00:00Z.',
    );
  if (date <= new Date()) throw new UsageError('--expires must be an ISO date in the future.');
  return date;
}

const isoDate = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/** JavaScript reads February 31 as March 3. */
function isInCalendar(date: string): boolean {
  const day = date.slice(0, 10);
  return new Date(day).toISOString().startsWith(day);
}

function keyRow({
  id,
  name,
  masked,
  scopes,
  createdAt,
  expiresAt,
  lastUsedAt,
  revokedAt,
}: ApiKeyRecord) {
  return {
    id,
    name,
    key: masked,
    scopes: scopes.length === allScopes.length ? 'all' : scopes.join(','),
    createdAt,
    expiresAt,
    lastUsedAt,
    revokedAt,
  };
}
