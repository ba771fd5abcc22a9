import { sql } from 'kysely';
import { hashApiKey, type Actor } from '@parley/protocol';
import { findApiKeyByHash, insertApiKey, type NewApiKey } from '../access/api-keys.js';
import { appendAudit, recordChange } from '../audit/audit.js';
import type { Database, OrganizationScope, SystemScope } from '../postgres/database.js';
import {
  findMemberByEmail,
  findOldestOwner,
  insertMember,
  updateMember,
} from '../access/members.js';
import { findOrganizationRecord, insertOrganization } from './organizations.js';
import { hashPassword } from '../access/password.js';
import { findPassword, obtainUser, setPassword } from '../access/users.js';

export type Bootstrap = {
  organizationId: string;
  organizationName: string;
  apiKey: string | undefined;
  keyName: string;
  /** The owner to create if the organization has none. */
  owner?: { email: string; password: string | undefined } | undefined;
};

const bootstrap: Actor = { kind: 'system', name: 'bootstrap' };

/**
 * Creates the organization and the key that a deployment is configured with, if they do not exist.
 * False if the organization was deleted, which is final.
 */
export async function bootstrapOrganization(
  database: Database,
  wanted: Bootstrap,
): Promise<boolean> {
  const { organizationId, organizationName, apiKey, keyName } = wanted;
  return database.asSystem(async (system) => {
    // Many pods start at once: the first one creates, the others wait for it and find it.
    await sql`select pg_advisory_xact_lock(hashtext(${organizationId}))`.execute(system.trx);
    const found = await findOrganizationRecord(system, organizationId);
    if (found?.deletedAt) return false;
    if (!found) await createOrganization(system, { id: organizationId, name: organizationName });
    if (apiKey !== undefined && !(await findApiKeyByHash(system, hashApiKey(apiKey))))
      await createKey(system, { organizationId, name: keyName, key: apiKey });
    if (wanted.owner) await obtainOwner({ organizationId, trx: system.trx }, wanted.owner);
    return true;
  });
}

/** The member that has been an owner for the longest time; created now if there is none. */
export async function obtainOwner(
  scope: OrganizationScope,
  { email, password }: { email: string; password?: string | undefined },
): Promise<string> {
  const oldest = await findOldestOwner(scope);
  if (oldest !== undefined) return oldest;
  const userId = await obtainUser(scope, { email, name: '' });
  const there = await findMemberByEmail(scope, email);
  if (there) await updateMember(scope, { id: there.id, role: 'owner' });
  else await insertMember(scope, { userId, role: 'owner' });
  const known = await findPassword(scope, email);
  if (password !== undefined && known?.passwordHash === null)
    await setPassword(scope, { id: userId, passwordHash: await hashPassword(password) });
  const after = await findMemberByEmail(scope, email);
  await appendAudit(scope, {
    actor: bootstrap,
    action: there ? 'member.updated' : 'member.created',
    resourceType: 'member',
    resourceId: after?.id ?? null,
    after,
  });
  return after?.id ?? '';
}

/** Recorded in the audit log, like everything that a deployment creates for itself. */
export async function createOrganization(
  system: SystemScope,
  organization: { id?: string; name: string },
): Promise<string> {
  const made = await insertOrganization(system, organization);
  const record = { ...made, organizationId: made.id };
  await recordChange(system, bootstrap, { action: 'organization.created', record });
  return made.id;
}

export async function createKey(system: SystemScope, fields: NewApiKey): Promise<string> {
  const { record, key } = await insertApiKey(system, fields);
  await recordChange(system, bootstrap, { action: 'key.created', record });
  return key;
}
