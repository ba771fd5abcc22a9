import { isObject } from './json.js';
import type { AgentDraft } from './agent-draft.js';

/** Unsaved changes of an agent, kept in session storage so that a reload does not lose them. */
export type StoredDraft = {
  /** The ETag of the agent that the changes are based on. */
  readonly etag: string;
  readonly changes: Partial<AgentDraft>;
};

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Values of secrets are never stored. */
export function keepDraft(store: Store, key: string, { etag, changes }: StoredDraft): void {
  const { secrets, ...kept } = changes;
  try {
    if (Object.keys(kept).length === 0) store.removeItem(key);
    else store.setItem(key, JSON.stringify({ etag, changes: kept }));
  } catch {
    // Storage is full or disabled: the page itself still has the changes.
  }
}

export function keptDraft(store: Store, key: string): StoredDraft | undefined {
  try {
    const value: unknown = JSON.parse(store.getItem(key) ?? 'null');
    if (!isObject(value) || typeof value.etag !== 'string' || !isObject(value.changes))
      return undefined;
    return { etag: value.etag, changes: value.changes };
  } catch {
    return undefined;
  }
}
