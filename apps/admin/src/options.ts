import { findOrganizationRecord, type Database, type OrganizationRecord } from '@parley/database';
import { isUuid } from '@parley/protocol';
import { UsageError } from './usage.js';

export function required(
  options: Readonly<Record<string, string>>,
  name: 'org' | 'name' | 'email' | 'role' | 'audit-arguments' | 'export',
): string {
  const value = options[name]?.trim();
  if (!value) throw new UsageError(`--${name} is missing.`);
  if (/\p{Cc}/u.test(value)) throw new UsageError(`--${name} contains a control character.`);
  return value;
}

export async function organizationOf(
  database: Database,
  options: Readonly<Record<string, string>>,
): Promise<string> {
  const { id, deletedAt } = await anyOrganization(database, options);
  if (deletedAt) throw new UsageError(`The organization ${id} was deleted.`);
  return id;
}

/** Including deleted ones. */
export async function anyOrganization(
  database: Database,
  options: Readonly<Record<string, string>>,
): Promise<OrganizationRecord> {
  const id = required(options, 'org');
  const found =
    isUuid(id) && (await database.asSystem((system) => findOrganizationRecord(system, id)));
  if (!found)
    throw new UsageError(`Organization ${id} does not exist. To list organizations, run: org list`);
  return found;
}
