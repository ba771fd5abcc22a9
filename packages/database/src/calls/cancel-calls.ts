import { decideToolCall } from './approval-decisions.js';
import type { OrganizationScope } from '../postgres/database.js';
import { callsInside } from './calls-inside.js';
import { finishToolCall } from './tool-calls.js';

/**
 * Ends what a finished session left open: nothing of it runs afterwards. Returns the number of
 * calls.
 */
export function cancelSessionCalls(scope: OrganizationScope, sessionId: string): Promise<number> {
  return cancelCalls(scope, { column: 'sessionId', ids: [sessionId], over: 'The session ended' });
}

/** The same for a question. */
export function cancelRunCalls(scope: OrganizationScope, runId: string): Promise<number> {
  const over = 'The question was cancelled';
  return cancelCalls(scope, { column: 'runId', ids: [runId], over });
}

/**
 * The same for a question that ended by itself. Of one that was answered, calls that have started
 * are left: the journal may still have to write how they ended.
 */
export function endRunCalls(
  scope: OrganizationScope,
  runId: string,
  state: 'answered' | 'failed',
): Promise<number> {
  const over = 'The question ended';
  const onlyUnstarted = state === 'answered';
  return cancelCalls(scope, { column: 'runId', ids: [runId], over, onlyUnstarted });
}

/** The same for a call whose sub-agent can no longer go on. */
export async function cancelCallsInside(scope: OrganizationScope, id: string): Promise<number> {
  const ids = await callsInside(scope, [id]);
  if (ids.length === 0) return 0;
  return cancelCalls(scope, { column: 'id', ids, over: 'The sub-agent ended' });
}

type Calls = {
  column: 'sessionId' | 'runId' | 'id';
  ids: readonly string[];
  over: string;
  onlyUnstarted?: boolean;
};

const leftOpen = {
  waiting: 'before the call was approved. The tool was not run.',
  pending: 'before the tool was run.',
  running: 'while the tool was running. Its outcome is unknown.',
} as const;

async function cancelCalls(
  scope: OrganizationScope,
  { column, ids, over, onlyUnstarted = false }: Calls,
): Promise<number> {
  const { organizationId, trx } = scope;
  const open = await trx
    .selectFrom('toolCalls')
    .select(['id', 'approval', 'startedAt'])
    .where('organizationId', '=', organizationId)
    .where(column, 'in', ids)
    .where('finishedAt', 'is', null)
    .$if(onlyUnstarted, (query) => query.where('startedAt', 'is', null))
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const { id, approval, startedAt } of open) {
    if (approval === 'waiting')
      await decideToolCall(scope, id, { approval: 'cancelled', by: null });
    const step = startedAt ? 'running' : approval === 'waiting' ? 'waiting' : 'pending';
    const text = `${over} ${leftOpen[step]}`;
    await finishToolCall(scope, id, { status: 'failed', result: text, text, executionMs: null });
  }
  return open.length;
}
