import { insertApiKey, insertOrganization, type Database } from '@parley/database';

/** An organization and a key of its own, as tickets name them. */
export function newOrganization(
  database: Database,
): Promise<{ organizationId: string; keyId: string; key: string }> {
  return database.asSystem(async (system) => {
    const { id: organizationId } = await insertOrganization(system, { name: 'Test' });
    const { record, key } = await insertApiKey(system, { organizationId, name: 'test' });
    return { organizationId, keyId: record.id, key };
  });
}
