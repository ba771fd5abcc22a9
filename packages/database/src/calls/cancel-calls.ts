import { decideToolCall } from './approval-decisions.js';
import type { OrganizationScope } from '../postgres/database.js';
import { finishToolCall } from './tool-calls.js';

/**
 * Ends what a finished session left open: nothing of it runs afterwards. Returns the number of
 * calls.
 */
export function cancelSessionCalls(scope: OrganizationScope, sessionId: string): Promise<number> {
  return cancelCalls(scope, { column: 'sessionId', id: sessionId, over: 'The session ended' });
}

/** The same for a question. */
export function cancelRunCalls(scope: OrganizationScope, runId: string): Promise<number> {
  return cancelCalls(scope, { column: 'runId', id: runId, over: 'The question was cancelled' });
}

type Place = { column: 'sessionId' | 'runId'; id: string; over: string };

const leftOpen = {
  waiting: 'before the call was approved. The tool was not run.',
  pending: 'before the tool was run.',
  running: 'while the tool was running. Its outcome is unknown.',
} as const;

async function cancelCalls(scope: OrganizationScope, place: Place): Promise<number> {
  const { organizationId, trx } = scope;
  const open = await trx
    .selectFrom('toolCalls')
    .select(['id', 'approval', 'startedAt'])
    .where('organizationId', '=', organizationId)
    .where(place.column, '=', place.id)
    .where('finishedAt', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const { id, approval, startedAt } of open) {
    if (approval === 'waiting')
      await decideToolCall(scope, id, { approval: 'cancelled', by: null });
    const step = startedAt ? 'running' : approval === 'waiting' ? 'waiting' : 'pending';
    const text = `${place.over} ${leftOpen[step]}`;
    await finishToolCall(scope, id, { status: 'failed', result: text, text, executionMs: null });
  }
  return open.length;
}
