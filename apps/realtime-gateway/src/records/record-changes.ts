import {
  amendMessages,
  cancelSessionCalls,
  endRealtimeSession,
  insertMessages,
  insertUsage,
  touchConversations,
  type MessageChange,
  type NewMessage,
  type NewUsage,
  type OrganizationScope,
  type RealtimeSessionEnd,
} from '@parley/database';

export type RecordChange =
  | { readonly kind: 'message'; readonly message: NewMessage }
  | {
      readonly kind: 'amend';
      readonly ids: readonly string[];
      readonly change: MessageChange;
      /** Where it has to be there: the client is told of the change. */
      readonly conversationId?: string;
    }
  | { readonly kind: 'usage'; readonly usage: NewUsage }
  | { readonly kind: 'end'; readonly end: RealtimeSessionEnd };

/**
 * One transaction for all of them. A message comes before what amends it, whatever else stands between. Returns what was not
 * written because its conversation is deleted.
 */
export async function writeChanges(
  scope: OrganizationScope,
  changes: readonly RecordChange[],
): Promise<ReadonlySet<RecordChange>> {
  const living = await touchConversations(scope, changes.flatMap(conversationsOf));
  const isGone = (change: RecordChange) => conversationsOf(change).some((id) => !living.has(id));
  const kept = changes.filter((change) => !isGone(change));
  await insertMessages(
    scope,
    pick(kept, 'message').map(({ message }) => message),
  );
  for (const { ids, change } of pick(kept, 'amend')) await amendMessages(scope, ids, change);
  for (const { end } of pick(kept, 'end')) {
    await endRealtimeSession(scope, end);
    await cancelSessionCalls(scope, end.id);
  }
  await insertUsage(
    scope,
    pick(kept, 'usage').map(({ usage }) => usage),
  );
  return new Set(changes.filter(isGone));
}

/** How much text a change holds while it waits. */
export function charactersOf(change: RecordChange): number {
  if (change.kind === 'message') return change.message.content.length;
  return change.kind === 'amend' ? (change.change.content ?? '').length : 0;
}

/** What has to be there for a change to be written. */
function conversationsOf(change: RecordChange): string[] {
  if (change.kind === 'message') return [change.message.conversationId];
  if (change.kind === 'amend') return change.conversationId ? [change.conversationId] : [];
  return change.kind === 'usage' ? [change.usage.conversationId] : [];
}

function pick<Kind extends RecordChange['kind']>(
  changes: readonly RecordChange[],
  kind: Kind,
): Extract<RecordChange, { kind: Kind }>[] {
  return changes.filter((change) => change.kind === kind) as Extract<
    RecordChange,
    { kind: Kind }
  >[];
}
