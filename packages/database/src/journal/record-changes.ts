import { cancelCallsInside, cancelSessionCalls } from '../calls/cancel-calls.js';
import { touchConversations } from '../conversations/conversations.js';
import type { OrganizationScope } from '../postgres/database.js';
import {
  amendMessages,
  insertMessages,
  type MessageChange,
  type NewMessage,
} from '../conversations/messages.js';
import { movedSessions } from '../conversations/moved-sessions.js';
import { endRealtimeSession, type RealtimeSessionEnd } from '../conversations/realtime-sessions.js';
import {
  finishToolCall,
  recordToolCall,
  type NewToolCall,
  type ToolCallEnd,
} from '../calls/tool-calls.js';
import { insertUsage, type NewUsage } from '../organizations/usage.js';

type Change =
  | { readonly kind: 'message'; readonly message: NewMessage }
  | {
      readonly kind: 'amend';
      readonly ids: readonly string[];
      readonly change: MessageChange;
      /** A conversation that must exist, because the client is notified of the change. */
      readonly conversationId?: string;
    }
  | {
      /** How a tool call ended. */
      readonly kind: 'call';
      readonly id: string;
      /** Its session; a call that another session has adopted meanwhile is not ended. */
      readonly sessionId?: string | null;
      readonly end: ToolCallEnd;
      /** Whether what its sub-agent left open ends with it. */
      readonly endsInside?: boolean;
      /** The call itself, if it could not be recorded when it was made. */
      readonly made?: NewToolCall;
    }
  | { readonly kind: 'usage'; readonly usage: NewUsage }
  | { readonly kind: 'end'; readonly end: RealtimeSessionEnd };

/** A change, and the session whose pod may have lost it: then the change is not written. */
export type RecordChange = Change & { readonly fencedBy?: string };

/**
 * Writes all changes in one transaction. A message precedes its amendments, whatever comes between;
 * and the outcome of a call precedes the end of its session, which ends what is still open. Returns
 * the changes that were not written because their conversation is deleted, or their session belongs
 * to another pod.
 */
export async function writeChanges(
  scope: OrganizationScope,
  changes: readonly RecordChange[],
): Promise<ReadonlySet<RecordChange>> {
  const living = await touchConversations(scope, changes.flatMap(conversationsOf));
  const moved = await movedSessions(
    scope,
    changes.flatMap(({ fencedBy }) => fencedBy ?? []),
  );
  const isGone = (change: RecordChange) =>
    moved.has(change.fencedBy ?? '') || conversationsOf(change).some((id) => !living.has(id));
  const kept = changes.filter((change) => !isGone(change));
  await insertMessages(
    scope,
    pick(kept, 'message').map(({ message }) => message),
  );
  for (const { ids, change } of pick(kept, 'amend')) await amendMessages(scope, ids, change);
  for (const { id, sessionId, end, made, endsInside } of pick(kept, 'call')) {
    if (made) await recordToolCall(scope, made);
    const isFirst = await finishToolCall(scope, { id, sessionId }, end);
    if (isFirst && endsInside) await cancelCallsInside(scope, id);
  }
  for (const { end } of pick(kept, 'end'))
    if (!(await endRealtimeSession(scope, end))) await cancelSessionCalls(scope, end.id);
  await insertUsage(
    scope,
    pick(kept, 'usage').map(({ usage }) => usage),
  );
  return new Set(changes.filter(isGone));
}

/** How much text a change holds while it waits. */
export function charactersOf(change: RecordChange): number {
  switch (change.kind) {
    case 'message':
      return change.message.content.length;
    case 'amend':
      return (change.change.content ?? '').length;
    case 'call': {
      const { end, made } = change;
      return JSON.stringify([end.result, end.text, made?.arguments]).length;
    }
    case 'usage':
    case 'end':
      return 0;
  }
}

/** The conversations that must exist for a change to be written. */
function conversationsOf(change: RecordChange): string[] {
  switch (change.kind) {
    case 'message':
      return [change.message.conversationId];
    case 'amend':
      return change.conversationId ? [change.conversationId] : [];
    case 'call':
      return change.made ? [change.made.conversationId] : [];
    case 'usage':
      return [change.usage.conversationId];
    case 'end':
      return [];
  }
}

function pick<Kind extends RecordChange['kind']>(
  changes: readonly RecordChange[],
  kind: Kind,
): Extract<Change, { kind: Kind }>[] {
  return changes.filter((change) => change.kind === kind) as Extract<Change, { kind: Kind }>[];
}
