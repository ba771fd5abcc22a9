import { useCallback, useEffect, useState } from 'react';
import { changesOf } from '../../parts/changes.js';
import { draftOf, type AgentDraft } from './agent-draft.js';
import type { AgentState } from './agents-query.js';
import { keepDraft, keptDraft } from './stored-draft.js';

export type EditedAgent = {
  readonly base: AgentDraft;
  readonly value: AgentDraft;
  readonly changed: boolean;
  /** The ETag that the draft is based on, even if a newer version was read since. */
  readonly etag: string;
  /** Whether changes from before a reload were restored. */
  readonly restored: boolean;
  readonly set: (changes: Partial<AgentDraft>) => void;
  /** Starts over from this version, with these changes. */
  readonly begin: (state: AgentState, changes?: Partial<AgentDraft>) => void;
  /** Marks what was sent as saved, but not what was typed since. */
  readonly settle: (state: AgentState, sent: AgentDraft) => void;
};

type Held = Pick<EditedAgent, 'base' | 'value' | 'etag' | 'restored'>;

/**
 * The editor's state until it is saved. A stored copy survives a reload, but not leaving the page.
 */
export function useAgentDraft(state: AgentState, key: string): EditedAgent {
  const [held, setHeld] = useState(() => heldAtFirst(state, key));
  const changed = Object.keys(changesOf(held.base, held.value)).length > 0;
  if (!changed && held.etag !== state.etag) setHeld(heldFrom(state));
  useEffect(() => {
    keepDraft(sessionStorage, key, {
      etag: held.etag,
      changes: changesOf(held.base, held.value),
    });
  }, [held, key]);
  useEffect(() => () => sessionStorage.removeItem(key), [key]);
  const set = useCallback(
    (changes: Partial<AgentDraft>) =>
      setHeld((now) => ({ ...now, value: { ...now.value, ...changes } })),
    [],
  );
  const begin = useCallback(
    (from: AgentState, changes: Partial<AgentDraft> = {}) => setHeld(heldFrom(from, changes)),
    [],
  );
  const settle = useCallback(
    (saved: AgentState, sent: AgentDraft) =>
      setHeld(({ value }) => heldFrom(saved, changesOf(sent, value))),
    [],
  );
  return { ...held, changed, set, begin, settle };
}

function heldFrom({ agent, etag }: AgentState, changes: Partial<AgentDraft> = {}): Held {
  const base = draftOf(agent);
  return { base, value: { ...base, ...changes }, etag, restored: false };
}

function heldAtFirst(state: AgentState, key: string): Held {
  const kept = keptDraft(sessionStorage, key);
  if (!kept) return heldFrom(state);
  return { ...heldFrom(state, kept.changes), etag: kept.etag, restored: true };
}
