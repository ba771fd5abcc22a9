// The record on a real PostgreSQL, without Redis: one agent, and one conversation per session.
import { randomBytes } from 'node:crypto';
import {
  connectDatabase,
  createSecretBox,
  insertAgent,
  insertConversation,
  insertOrganization,
  migrate,
} from '@parley/database';
import { createSessionRecords } from '@parley/realtime-gateway';
import { plainAgent } from '@parley/testkit';

/** Records that admit every session, each into its own conversation. */
export async function openRecord({ url, settings, logger, registry }) {
  await migrate(url);
  const database = connectDatabase({ url });
  const secretBox = createSecretBox(settings.SECRETS_KEY);
  const records = createSessionRecords({ database, secretBox, logger, registry, settings });
  const organizationId = await database.asSystem(
    async (scope) => (await insertOrganization(scope, { name: 'Bench' })).id,
  );
  const within = (work) => database.inOrganization(organizationId, work);
  const agentId = await within((scope) => insertAgent(scope, agent));
  const conversations = new Map();
  return {
    async admit({ sessionId }) {
      const { id: conversationId } = await within((scope) => insertConversation(scope, agentId));
      conversations.set(sessionId, conversationId);
      const ids = { organizationId, agentId, conversationId, sessionId };
      return records.admit({ ...ids, keyId: null, fileIds: [], tokenHash: randomBytes(32) });
    },
    recorder: ({ sessionId }) =>
      records.recorder({ sessionId, organizationId, conversationId: conversations.get(sessionId) }),
  };
}

export const agent = { ...plainAgent, name: 'Bench' };
