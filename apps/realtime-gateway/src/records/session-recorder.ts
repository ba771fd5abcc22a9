import type { RecordedSession, SessionRecorder } from '../ports.js';
import type { Outcome } from './journal.js';
import { messageId } from './message-id.js';
import { charactersOf, type RecordChange } from './record-changes.js';
import type { RecordMetrics } from './record-metrics.js';

export type SessionRecorderOptions = {
  readonly session: RecordedSession;
  readonly metrics: RecordMetrics;
  readonly add: (change: RecordChange, onSettled?: (outcome: Outcome) => void) => void;
};

/** The conversation may be deleted under its session: what is said from then on is counted, and the client is told once. */
export function createSessionRecorder(options: SessionRecorderOptions): SessionRecorder {
  const { session, metrics } = options;
  const { sessionId, conversationId } = session;
  let told = false;
  const add = addWithinShare(options);
  const telling =
    (id: string, onSettled: (id: string | undefined) => void) => (outcome: Outcome) => {
      if (outcome === 'gone' && told) return;
      told ||= outcome === 'gone';
      onSettled(outcome === 'stored' ? id : undefined);
    };
  return {
    message({ key, createdAt, ...said }, onSettled) {
      const id = messageId(sessionId, { key, contentIndex: said.contentIndex });
      const ids = { id, conversationId, sessionId };
      const message = { ...said, ...ids, createdAt: new Date(createdAt) };
      add({ kind: 'message', message }, telling(id, onSettled));
    },
    rewrite({ content, status, ...part }, onSettled) {
      const id = messageId(sessionId, part);
      const change = { content, status };
      add({ kind: 'amend', ids: [id], change, conversationId }, telling(id, onSettled));
    },
    amend(parts, change) {
      const ids = parts.map((part) => messageId(sessionId, part));
      add({ kind: 'amend', ids, change });
    },
    usage(usage) {
      metrics.used(usage);
      const { counts, ...source } = usage;
      add({ kind: 'usage', usage: { ...counts, ...source, conversationId, sessionId } });
    },
    end({ reason: endReason, ...end }) {
      add({ kind: 'end', end: { ...end, id: sessionId, endReason, endedAt: new Date() } });
    },
  };
}

type Add = SessionRecorderOptions['add'];

/** So that one session cannot use up what the journal holds for all of them while PostgreSQL is away or slow. */
const share = { changes: 1000, characters: 4 * 1024 * 1024 };

/** Once the conversation is gone, the database is not asked again. */
function addWithinShare({ metrics, add }: SessionRecorderOptions): Add {
  let gone = false;
  const waiting = { changes: 0, characters: 0 };
  return (change, onSettled) => {
    const characters = charactersOf(change);
    const full =
      waiting.changes >= share.changes || waiting.characters + characters > share.characters;
    if (gone || full) {
      const outcome = gone ? 'gone' : 'failed';
      metrics.settled({ kind: change.kind, outcome, seconds: 0 });
      onSettled?.(outcome);
      return;
    }
    waiting.changes += 1;
    waiting.characters += characters;
    add(change, (outcome) => {
      waiting.changes -= 1;
      waiting.characters -= characters;
      gone ||= outcome === 'gone';
      onSettled?.(outcome);
    });
  };
}
