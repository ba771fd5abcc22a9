import { Client } from 'pg';
import { insertApiKey, insertOrganization, type Database } from '@parley/database';
import { plainAgent } from '@parley/testkit';

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

export function agentFields(tools: unknown[]): typeof plainAgent {
  return { ...plainAgent, name: 'Ada', systemMessage: 'Be kind.', tools };
}

export async function insertConversation(
  url: string,
  organizationId: string,
  agentId: string,
): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ id: string }>(
    'insert into conversations (organization_id, agent_id) values ($1, $2) returning id',
    [organizationId, agentId],
  );
  await client.end();
  return rows[0]!.id;
}
