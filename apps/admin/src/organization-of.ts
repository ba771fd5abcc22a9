import { findOrganization, type Database } from '@parley/database';
import { isUuid } from '@parley/protocol';
import { UsageError } from './usage.js';

export type Options = Readonly<Record<string, string>>;

export function required(options: Options, name: string): string {
  const value = options[name]?.trim();
  if (!value) throw new UsageError(`--${name} is missing.`);
  if (/\p{Cc}/u.test(value)) throw new UsageError(`--${name} has a control character.`);
  return value;
}

/** The id of the organization that --org names. */
export async function organizationOf(database: Database, options: Options): Promise<string> {
  const id = required(options, 'org');
  const found = isUuid(id) && (await database.asSystem((system) => findOrganization(system, id)));
  if (!found) throw new UsageError(`There is no organization ${id}. See: org list`);
  return found.id;
}
