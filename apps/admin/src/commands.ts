import {
  appendAudit,
  findApiKey,
  findOrganization,
  insertApiKey,
  insertOrganization,
  insertUser,
  listApiKeys,
  listOrganizations,
  revokeApiKey,
  verifyAudit,
  violatedConstraint,
  type Actor,
  type ApiKeyRecord,
  type Database,
} from '@parley/database';
import { allScopes, isScope, isUuid, type Scope } from '@parley/protocol';
import { UsageError } from './usage.js';

/** What a command answers: one object for --json, and how a person reads it. */
export type Answer = {
  json: Record<string, unknown>;
  rows: Record<string, unknown>[];
  note?: string;
  failed?: boolean;
};

export type Input = {
  database: Database;
  options: Readonly<Record<string, string>>;
  positional: string | undefined;
};

export type Command = {
  usage: string;
  doc: string;
  options: readonly string[];
  /** What is asked before it runs; the command destroys something. */
  confirm?: (input: Input) => Promise<string>;
  run: (input: Input) => Promise<Answer>;
};

const administrator: Actor = { kind: 'administrator', name: 'command line' };

/** Two words → what they do. The help text derives from it. */
export const commands: Record<string, Command> = {
  'org create': {
    usage: 'org create --name NAME',
    doc: 'Create an organization.',
    options: ['name'],
    run: async ({ database, options }) => {
      const name = required(options, 'name');
      const record = await database.asSystem((system) => insertOrganization(system, { name }));
      return { json: record, rows: [record], note: 'Create a key for it with: key create' };
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
  'key create': {
    usage: 'key create --org ID --name NAME [--scopes a,b] [--expires ISO]',
    doc: 'Create an API key. It is shown once.',
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
    doc: 'Revoke an API key at once. This cannot be undone.',
    options: [],
    confirm: async (input) => {
      const { name, masked } = await keyOf(input);
      return `Revoke the key "${name}" (${masked})? Requests with it fail from then on.`;
    },
    run: revokeKey,
  },
  'user create': {
    usage: 'user create --org ID --email EMAIL',
    doc: 'Create a user of an organization.',
    options: ['org', 'email'],
    run: createUser,
  },
  'audit verify': {
    usage: 'audit verify --org ID',
    doc: 'Walk the audit log’s hash chain and name the first broken record.',
    options: ['org'],
    run: verify,
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
  const { record, key } = await database.asSystem((system) => insertApiKey(system, fields));
  await audit(database, 'key.created', record);
  return {
    json: { ...record, apiKey: key },
    rows: [keyRow(record)],
    note: `API key (shown once): ${key}`,
  };
}

async function revokeKey(input: Input): Promise<Answer> {
  const { id } = await keyOf(input);
  const revoked = await input.database.asSystem(async (system) => {
    await revokeApiKey(system, id);
    return findApiKey(system, id);
  });
  if (!revoked) throw new UsageError(`There is no key ${id}.`);
  await audit(input.database, 'key.revoked', revoked);
  return { json: revoked, rows: [keyRow(revoked)] };
}

async function createUser({ database, options }: Input): Promise<Answer> {
  const organizationId = await organizationOf(database, options);
  const email = required(options, 'email');
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new UsageError(`${email} is not an email address.`);
  try {
    const user = await database.asSystem((system) =>
      insertUser(system, { organizationId, email, passwordHash: null }),
    );
    return { json: user, rows: [user] };
  } catch (error) {
    if (violatedConstraint(error) === 'users_email')
      throw new UsageError(`There is a user ${email} already.`);
    throw error;
  }
}

async function verify({ database, options }: Input): Promise<Answer> {
  const organizationId = await organizationOf(database, options);
  const verdict = await database.asSystem((system) => verifyAudit(system, organizationId));
  const note = verdict.ok
    ? `The chain of ${verdict.records} record(s) is whole.`
    : `The chain breaks at record ${verdict.sequence}: ${verdict.reason}.`;
  return { json: { ...verdict }, rows: [], note, failed: !verdict.ok };
}

async function audit(database: Database, action: string, record: ApiKeyRecord): Promise<void> {
  await database.inOrganization(record.organizationId, (scope) =>
    appendAudit(scope, {
      actor: administrator,
      action,
      resourceType: 'key',
      resourceId: record.id,
      after: record,
    }),
  );
}

function required(options: Readonly<Record<string, string>>, name: string): string {
  const value = options[name]?.trim();
  if (!value) throw new UsageError(`--${name} is missing.`);
  return value;
}

async function organizationOf(
  database: Database,
  options: Readonly<Record<string, string>>,
): Promise<string> {
  const id = required(options, 'org');
  const found = isUuid(id) && (await database.asSystem((system) => findOrganization(system, id)));
  if (!found) throw new UsageError(`There is no organization ${id}. See: org list`);
  return found.id;
}

async function keyOf({ database, positional }: Input): Promise<ApiKeyRecord> {
  if (positional === undefined) throw new UsageError('The key’s id is missing. See: key list');
  const key =
    isUuid(positional) && (await database.asSystem((system) => findApiKey(system, positional)));
  if (!key) throw new UsageError(`There is no key ${positional}. See: key list`);
  return key;
}

function scopesOf({ scopes }: Readonly<Record<string, string>>): Scope[] {
  if (scopes === undefined) return allScopes;
  return scopes.split(',').map((text) => {
    const scope = text.trim();
    if (!isScope(scope))
      throw new UsageError(`'${scope}' is not a scope. Choose from ${allScopes.join(', ')}.`);
    return scope;
  });
}

function expiryOf({ expires }: Readonly<Record<string, string>>): Date | null {
  if (expires === undefined) return null;
  const date = new Date(expires);
  if (!/^\d{4}-\d\d-\d\d/.test(expires) || Number.isNaN(date.getTime()))
    throw new UsageError(
      '--expires must be an ISO date, such as 2030-12-31 or 2030-12-31T12:00:00Z.',
    );
  return date;
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
