import { randomUUID } from 'node:crypto';
import { pathParameters, type Operation } from '@parley/protocol';
import type { ApiUnderTest, Tenant } from './api-under-test.js';
import type { Reply } from './contract-client.js';
import { recordSeed } from './record-seed.js';

/** What a name in a path stands for → something of that kind. A kind that is not seeded here is somebody's random id. */
export type Seeds = Readonly<Record<string, string>>;

const idOf = ({ body }: Reply) => (body as { id: string }).id;

/** An organization that has one of everything. */
export async function seededTenant(api: ApiUnderTest): Promise<Tenant & { seeds: Seeds }> {
  const tenant = await api.organization();
  const { client } = tenant;
  const agentId = idOf(await client.post('/api/v1/Agent', { name: 'A' }));
  const connection = { name: 'C', kind: 'simulator' };
  const conversation = await recordSeed(api.database, tenant.id).conversation(agentId);
  return {
    ...tenant,
    seeds: {
      agentId,
      connectionId: idOf(await client.post('/api/v1/Connection', connection)),
      conversationId: conversation.id,
      taskId: idOf(await client.post('/api/v1/Task', { title: 'T', externalId: 'E' })),
      externalId: 'E',
    },
  };
}

/** The operation's path with its names filled in. */
export function pathOf(operation: Operation, seeds: Seeds): string {
  let path = `/api/v1${operation.path}`;
  for (const { name } of pathParameters(operation))
    path = path.replace(`{${name}}`, encodeURIComponent(seeds[name] ?? randomUUID()));
  return path;
}
