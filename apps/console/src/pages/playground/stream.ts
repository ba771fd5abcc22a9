import {
  timelineOf,
  type Approval,
  type CallPlaces,
  type Message,
  type TimelineEntry,
  type ToolCall,
} from '@parley/client';

/** The messages and calls of this session and of the ones that it continues. */
export type Said = {
  readonly messages: readonly Message[];
  readonly calls: readonly ToolCall[];
  readonly approvals: readonly Approval[];
};

export const nothingSaid: Said = { messages: [], calls: [], approvals: [] };

/** Messages in order, each followed by its calls. Messages without text are left out. */
export function shownEntries(places: CallPlaces, said: Said): readonly TimelineEntry[] {
  return timelineOf(places, said).filter(
    (entry) => entry.kind === 'call' || isShown(entry.message),
  );
}

/** Speech gets its place before its text is known. */
function isShown({ text, role, final }: Message): boolean {
  return text.trim() !== '' || (role === 'user' && !final);
}

/**
 * The heard and the unheard part of an agent's message. A word that was not heard to its end counts
 * as unheard.
 */
export function heardParts({ text, interrupted, heardLength }: Message): readonly [string, string] {
  if (!interrupted || heardLength >= text.length) return [text, ''];
  const start = text.lastIndexOf(' ', heardLength) + 1;
  return [text.slice(0, start), text.slice(start)];
}
