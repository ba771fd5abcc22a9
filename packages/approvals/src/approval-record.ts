import {
  decideToolCall,
  finishToolCall,
  type ApprovalDecision,
  type Database,
  type ToolCallEnd,
} from '@parley/database';
import type { ApprovalMetrics } from './approval-metrics.js';

/** A call that waits, as the record knows it. */
export type WaitingCall = {
  readonly id: string;
  readonly organizationId: string;
  readonly sessionId: string | null;
  readonly runId: string | null;
};

/** Until when it can be decided. */
export type PendingCall = WaitingCall & { readonly deadline: Date };

export type ApprovalRecordOptions = {
  readonly database: Database;
  readonly metrics: Pick<ApprovalMetrics, 'decided'>;
};

const text = 'The approval timed out. The tool was not run.';
const timedOut: ToolCallEnd = { status: 2, result: text, text, executionMs: null };
export const expired: ApprovalDecision = { approval: 'expired', by: null };

/** False: the record had a decision. What expires in a session is finished here too, since its pod may be gone. */
export async function recordDecision(
  { database, metrics }: ApprovalRecordOptions,
  { id, organizationId, sessionId }: WaitingCall,
  decision: ApprovalDecision,
): Promise<boolean> {
  const { approval } = decision;
  const first = await database.inOrganization(organizationId, async (scope) => {
    const decided = await decideToolCall(scope, id, decision);
    if (decided && approval === 'expired' && sessionId !== null)
      await finishToolCall(scope, id, timedOut);
    return decided;
  });
  if (first) metrics.decided(approval);
  return first;
}

/**
 * For an approval that Redis does not know any more: the record decides as sharply, on the clock of this process. Nobody tells Redis of it again,
 * so that there is one place to decide it and not two. False: it was decided before, or its time is over.
 */
export async function decideInRecord(
  options: ApprovalRecordOptions,
  call: PendingCall,
  decision: ApprovalDecision,
): Promise<boolean> {
  const over = call.deadline.getTime() <= Date.now();
  return (await recordDecision(options, call, over ? expired : decision)) && !over;
}
