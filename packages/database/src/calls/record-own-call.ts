import { movedSessions } from '../conversations/realtime-sessions.js';
import type { OrganizationScope } from '../postgres/database.js';
import { recordToolCall, type NewToolCall } from './tool-calls.js';

/**
 * Records a call for the pod that makes it. Rejects if another pod has taken its session over: the
 * former pod may have been suspended, and must neither write into the conversation nor run a tool. A
 * take-over that is in progress is awaited, because it ends the calls that it finds.
 */
export async function recordOwnToolCall(
  scope: OrganizationScope,
  call: NewToolCall,
): Promise<void> {
  const moved = await movedSessions(scope, call.sessionId === null ? [] : [call.sessionId]);
  if (moved.size > 0) throw new Error('the session of this call was taken over by another pod');
  await recordToolCall(scope, call);
}
