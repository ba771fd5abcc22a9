import type { Approver } from '@parley/protocol';
import type { OrganizationScope } from '../postgres/database.js';
import { callsInside } from './calls-inside.js';

/** A call that nobody works on, as the next owner needs it. */
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
  /** How far its sub-agent has got, which waits; null if the call has not started. */
  suspended: unknown;
};

export type Adoption = {
  from: string;
  to: string;
  /** The pod to notify of decisions. */
  owner: string;
};

/**
 * Makes the calls of one session those of another that continues it, unless somebody has claimed
 * them and not said where they stopped. Those of sub-agents go with the calls in which they were
 * made. Decisions and deadlines stay; the former session can no longer claim, cancel or end them.
 * Returns the session's own, oldest first.
 */
export async function adoptSessionCalls(
  scope: OrganizationScope,
  { from, to, owner }: Adoption,
): Promise<AdoptedCall[]> {
  const { organizationId, trx } = scope;
  const ids = await adoptable(scope, from);
  if (ids.length === 0) return [];
  const rows = await trx
    .updateTable('toolCalls')
    .from('messages')
    .set({ sessionId: to, owner })
    .whereRef('messages.id', '=', 'toolCalls.messageId')
    .where('toolCalls.organizationId', '=', organizationId)
    .where('toolCalls.id', 'in', ids)
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
      'toolCalls.suspended',
      'toolCalls.parentId',
    ])
    .execute();
  return rows
    .filter(({ parentId }) => parentId === null)
    .map(({ deadline, approvers, parentId: _, ...call }) => ({
      ...call,
      approval: deadline && { deadline, approvers },
    }))
    .sort((a, b) => a.position - b.position);
}

/**
 * The calls, and what is open of their sub-agents. While the calls are locked, nobody starts
 * anything inside them.
 */
async function adoptable(scope: OrganizationScope, sessionId: string): Promise<string[]> {
  const { organizationId, trx } = scope;
  const calls = await trx
    .selectFrom('toolCalls')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('sessionId', '=', sessionId)
    .where('parentId', 'is', null)
    .where('finishedAt', 'is', null)
    .where((eb) => eb.or([eb('startedAt', 'is', null), eb('suspended', 'is not', null)]))
    .orderBy('id')
    .forUpdate()
    .execute();
  const ids = calls.map(({ id }) => id);
  if (ids.length === 0) return [];
  return [...ids, ...(await callsInside(scope, ids))];
}
