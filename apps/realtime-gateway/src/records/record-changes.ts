import {
  amendMessages,
  cancelSessionCalls,
  endRealtimeSession,
  insertMessages,
  insertUsage,
  type MessageChange,
  type NewMessage,
  type NewUsage,
  type OrganizationScope,
  type RealtimeSessionEnd,
} from '@parley/database';

export type RecordChange =
  | { readonly kind: 'message'; readonly message: NewMessage }
  | { readonly kind: 'amend'; readonly ids: readonly string[]; readonly change: MessageChange }
  | { readonly kind: 'usage'; readonly usage: NewUsage }
  | { readonly kind: 'end'; readonly end: RealtimeSessionEnd };

/** One transaction for all of them. A message comes before what amends it, whatever else stands between. */
export async function writeChanges(
  scope: OrganizationScope,
  changes: readonly RecordChange[],
): Promise<void> {
  await insertMessages(
    scope,
    pick(changes, 'message').map(({ message }) => message),
  );
  for (const { ids, change } of pick(changes, 'amend')) await amendMessages(scope, ids, change);
  await insertUsage(
    scope,
    pick(changes, 'usage').map(({ usage }) => usage),
  );
  for (const { end } of pick(changes, 'end')) {
    await endRealtimeSession(scope, end);
    await cancelSessionCalls(scope, end.id);
  }
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
