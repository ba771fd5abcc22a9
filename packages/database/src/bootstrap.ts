import { sql } from 'kysely';
import { hashApiKey } from '@parley/protocol';
import { findApiKeyByHash, insertApiKey } from './api-keys.js';
import type { Database } from './database.js';
import { findOrganization, insertOrganization } from './organizations.js';

export type Bootstrap = {
  organizationId: string;
  organizationName: string;
  apiKey: string | undefined;
  keyName: string;
};

/** Creates the organization and the key that a deployment is configured with, where they are absent. */
export async function bootstrapOrganization(database: Database, wanted: Bootstrap): Promise<void> {
  const { organizationId, organizationName, apiKey, keyName } = wanted;
  await database.asSystem(async (system) => {
    // Many pods start at once: the first one creates, the others wait for it and find it.
    await sql`select pg_advisory_xact_lock(hashtext(${organizationId}))`.execute(system.trx);
    if (!(await findOrganization(system, organizationId)))
      await insertOrganization(system, { id: organizationId, name: organizationName });
    if (apiKey !== undefined && !(await findApiKeyByHash(system, hashApiKey(apiKey))))
      await insertApiKey(system, { organizationId, name: keyName, key: apiKey });
  });
}
