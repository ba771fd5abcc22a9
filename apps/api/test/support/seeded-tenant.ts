import { randomUUID } from 'node:crypto';
import { createLiveSessions } from '@parley/session-store';
import { pathParameters, type Operation } from '@parley/protocol';
import type { ApiUnderTest, Tenant } from './api-under-test.js';
import type { Reply } from './contract-client.js';
import { recordSeed } from './record-seed.js';
import { upload } from './upload.js';
import { callsOf } from './waiting-calls.js';

/** What a name in a path stands for → something of that kind. A kind that is left out is somebody's random id. */
export type Seeds = Readonly<Record<string, string>>;

export type SeededTenant = Tenant & {
  seeds: Seeds;
  /** Keeps the realtime session open: it is gone some seconds after its pod fell silent. */
  beat: () => Promise<unknown>;
};

const idOf = ({ body }: Reply) => (body as { id: string }).id;

/** An organization that has one of everything. */
export async function seededTenant(api: ApiUnderTest): Promise<SeededTenant> {
  const tenant = await api.organization();
  const { client } = tenant;
  const server = { kind: 'mcp', name: 'nobody', serverUrl: 'http://127.0.0.1:9/mcp' };
  const agent = { name: 'A', tools: [{ kind: 'builtin', name: 'current_time' }, server] };
  const agentId = idOf(await client.post('/api/v1/Agent', agent));
  const conversation = await recordSeed(api.database, tenant.id).conversation(agentId);
  const { id: conversationId } = conversation;
  const wait = callsOf(api, tenant);
  const session = {
    id: randomUUID(),
    organizationId: tenant.id,
    agentId,
    conversationId,
    pod: `pod-${tenant.id}`,
    startedAt: new Date().toISOString(),
  };
  const beat = () => createLiveSessions(api.redis).beat(session.pod, [session]);
  await beat();
  const connection = { name: 'C', kind: 'simulator' };
  const webhook = { url: 'https://example.com/', events: ['task.changed'] };
  const webhookId = idOf(await client.post('/api/v1/Webhook', webhook));
  const newMember = (role: string) => ({ email: `${role}@${tenant.id}.example`, role });
  await client.post('/api/v1/Member', newMember('owner'));
  return {
    ...tenant,
    beat,
    seeds: {
      agentId,
      name: 'current_time',
      serverName: server.name,
      connectionId: idOf(await client.post('/api/v1/Connection', connection)),
      conversationId,
      taskId: idOf(await client.post('/api/v1/Task', { title: 'T', externalId: 'E' })),
      externalId: 'E',
      webhookId,
      deliveryId: await recordSeed(api.database, tenant.id).delivery(webhookId),
      fileId: idOf(await upload(tenant, { content: 'F' })),
      callId: (await wait(conversation)).callId,
      sessionId: session.id,
      keyId: idOf(await client.post('/api/v1/ApiKey', { name: 'K' })),
      memberId: idOf(await client.post('/api/v1/Member', newMember('viewer'))),
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
