import type { Approver } from '@parley/protocol';
import type { OrganizationScope } from '../postgres/database.js';

/** A call that nobody has started, as the next owner needs it. */
export type AdoptedCall = {
  id: string;
  messageId: string;
  callId: string;
  itemId: string | null;
  name: string;
  arguments: unknown;
  position: number;
  /** Null if nobody was asked to approve it. */
  approval: { deadline: Date; approvers: Approver[] } | null;
};

export type Adoption = {
  from: string;
  to: string;
  /** The pod to notify of decisions. */
  owner: string;
};

/**
 * Makes the calls of one session those of another that continues it, unless they were claimed or
 * belong to a sub-agent. Decisions and deadlines stay; the former session can no longer claim,
 * cancel or end them. Oldest first.
 */
export async function adoptSessionCalls(
  { organizationId, trx }: OrganizationScope,
  { from, to, owner }: Adoption,
): Promise<AdoptedCall[]> {
  const rows = await trx
    .updateTable('toolCalls')
    .from('messages')
    .set({ sessionId: to, owner })
    .whereRef('messages.id', '=', 'toolCalls.messageId')
    .where('toolCalls.organizationId', '=', organizationId)
    .where('toolCalls.sessionId', '=', from)
    .where('toolCalls.parentId', 'is', null)
    .where('toolCalls.startedAt', 'is', null)
    .where('toolCalls.finishedAt', 'is', null)
    .returning([
      'toolCalls.id',
      'messages.id as messageId',
      'toolCalls.callId',
      'toolCalls.itemId',
      'toolCalls.name',
      'toolCalls.arguments',
      'messages.position',
      'toolCalls.deadline',
      'toolCalls.approvers',
    ])
    .execute();
  return rows
    .map(({ deadline, approvers, ...call }) => ({
      ...call,
      approval: deadline && { deadline, approvers },
    }))
    .sort((a, b) => a.position - b.position);
}
