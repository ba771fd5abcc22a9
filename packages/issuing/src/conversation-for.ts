import { findConversation, insertConversation, type OrganizationScope } from '@parley/database';
import { found, Problem } from '@parley/protocol';

/**
 * Continues the given conversation if it is this agent's; another organization's is treated as
 * absent.
 */
export async function conversationFor(
  scope: OrganizationScope,
  agentId: string,
  given: string | null,
): Promise<string> {
  if (given === null) return (await insertConversation(scope, agentId)).id;
  const conversation = found(await findConversation(scope, given));
  if (conversation.agentId !== agentId)
    throw new Problem('body-invalid', 'The conversation cannot be continued.', {
      errors: [{ path: '/conversationId', message: 'belongs to another agent' }],
    });
  return conversation.id;
}
