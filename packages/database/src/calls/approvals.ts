import { sql, type Selectable } from 'kysely';
import { isUuid } from '@parley/protocol';
import type { OrganizationScope, SystemScope } from '../postgres/database.js';
import {
  idsAmong,
  leadingRows,
  longPage,
  withoutSizes,
  type LongPage,
  type PageIds,
} from '../postgres/long-rows.js';
import type { PageRequest } from '../postgres/page.js';
import type { ToolCallTable } from '../postgres/schema.js';

type Stored = Selectable<ToolCallTable>;

/** A tool call, as shown to whoever decides it. */
export type ApprovalRecord = Pick<
  Stored,
  | 'id'
  | 'callId'
  | 'agentId'
  | 'conversationId'
  | 'sessionId'
  | 'runId'
  | 'name'
  | 'arguments'
  | 'approvers'
  | 'createdAt'
  | 'decidedBy'
  | 'decidedAt'
> & { approval: NonNullable<Stored['approval']>; deadline: Date };

export type ApprovalFilter = {
  approval?: ApprovalRecord['approval'] | undefined;
  agentId?: string | undefined;
  conversationId?: string | undefined;
};

/** Oldest first. */
export async function listApprovals(
  scope: OrganizationScope,
  filter: ApprovalFilter,
  page: PageRequest,
): Promise<LongPage<ApprovalRecord>> {
  const list = ownApprovals(scope, filter);
  return longPage(list, { orderedBy: 'createdAt', ...page }, (ids) => approvalsIn(scope, ids));
}

/** The leading approvals of those with the given ids, which may have been deleted since. */
export async function approvalsByIds(
  scope: OrganizationScope,
  ids: readonly string[],
): Promise<ApprovalRecord[]> {
  return approvalsIn(scope, idsAmong(ownApprovals(scope, {}), ids));
}

async function approvalsIn(scope: OrganizationScope, ids: PageIds): Promise<ApprovalRecord[]> {
  const approvals = scope.trx
    .selectFrom('toolCalls')
    .innerJoin(ids.as('page'), 'page.id', 'toolCalls.id')
    .select(columns)
    .$narrowType<ApprovalRecord>();
  const orderedBy = ['createdAt', 'id'] as const;
  const rows = await leadingRows(scope.trx, approvals, { orderedBy, long }).execute();
  return rows.map(withoutSizes);
}

const long = ['arguments'] as const;

/** The next approvals of a conversation, by id. */
export async function nextApprovals(
  scope: OrganizationScope,
  conversationId: string,
  { after, limit }: { after: string; limit: number },
): Promise<ApprovalRecord[]> {
  const approvals = ownApprovals(scope, { conversationId })
    .select(columns)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .$narrowType<ApprovalRecord>();
  const rows = await leadingRows(scope.trx, approvals, { orderedBy: ['id'], long }).execute();
  return rows.map(withoutSizes);
}

/**
 * Resolves an id or a provider's call id: the approval with this id; otherwise the ones that wait
 * under this call id, of which there may be several; otherwise the last one that was decided under
 * it.
 */
export async function findApprovals(
  scope: OrganizationScope,
  idOrCallId: string,
): Promise<ApprovalRecord[]> {
  const own = isUuid(idOrCallId) ? await approval(scope, 'id', idOrCallId).execute() : [];
  if (own.length > 0) return own;
  const waiting = await approval(scope, 'callId', idOrCallId)
    .where('approval', '=', 'waiting')
    .limit(2)
    .execute();
  if (waiting.length > 0) return waiting;
  return approval(scope, 'callId', idOrCallId).orderBy('createdAt', 'desc').limit(1).execute();
}

export type WaitingApproval = {
  id: string;
  /** Until its deadline; negative if it is over. */
  remainingMs: number;
};

/** Which of these are waiting for a decision. */
export async function waitingAmong(
  { trx }: SystemScope,
  ids: readonly string[],
): Promise<WaitingApproval[]> {
  return trx
    .selectFrom('toolCalls')
    .select([
      'id',
      sql<number>`ceil(extract(epoch from deadline - now()) * 1000)::float8`.as('remainingMs'),
    ])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('approval', '=', 'waiting')
    .execute();
}

/** How many are waiting, and how long ago the most overdue one should have expired. */
export async function approvalBacklog({
  trx,
}: SystemScope): Promise<{ waiting: number; oldestOverdueSeconds: number }> {
  return trx
    .selectFrom('toolCalls')
    .select([
      sql<number>`count(*)::int`.as('waiting'),
      sql<number>`greatest(0, extract(epoch from now() - min(deadline)))::float8`.as(
        'oldestOverdueSeconds',
      ),
    ])
    .where('approval', '=', 'waiting')
    .executeTakeFirstOrThrow();
}

const columns = [
  'toolCalls.id',
  'toolCalls.callId',
  'toolCalls.agentId',
  'toolCalls.conversationId',
  'toolCalls.sessionId',
  'toolCalls.runId',
  'toolCalls.name',
  'toolCalls.arguments',
  'toolCalls.approvers',
  'toolCalls.createdAt',
  'toolCalls.approval',
  'toolCalls.deadline',
  'toolCalls.decidedBy',
  'toolCalls.decidedAt',
] as const;

function approval(scope: OrganizationScope, column: 'id' | 'callId', value: string) {
  return ownApprovals(scope, {})
    .select(columns)
    .where(column, '=', value)
    .$narrowType<ApprovalRecord>();
}

function ownApprovals({ organizationId, trx }: OrganizationScope, filter: ApprovalFilter) {
  let own = trx
    .selectFrom('toolCalls')
    .where('organizationId', '=', organizationId)
    .where('approval', 'is not', null);
  for (const [column, value] of Object.entries(filter) as [keyof ApprovalFilter, string?][])
    if (value !== undefined) own = own.where(column, '=', value);
  return own;
}
