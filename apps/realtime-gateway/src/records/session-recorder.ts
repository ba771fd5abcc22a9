import type { Outcome, RecordChange } from '@parley/database';
import type { RecordedSession, SessionRecorder } from '../ports.js';
import { messageId } from './message-id.js';
import type { RecordMetrics } from './record-metrics.js';

export type SessionRecorderOptions = {
  readonly session: RecordedSession;
  readonly metrics: RecordMetrics;
  readonly add: (change: RecordChange, onSettled?: (outcome: Outcome) => void) => void;
};

/**
 * The conversation may be deleted during its session. What is said from then on is counted, and the
 * client is notified once.
 */
export function createSessionRecorder(
  options: SessionRecorderOptions,
): Omit<SessionRecorder, 'past'> {
  const { session, metrics } = options;
  const { sessionId, conversationId } = session;
  let told = false;
  const add = addUntilGone(options);
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

/** Once the conversation is gone, skips the database. */
function addUntilGone({ metrics, add }: SessionRecorderOptions): Add {
  let gone = false;
  return (change, onSettled) => {
    if (gone) {
      metrics.settled({ kind: change.kind, outcome: 'gone', seconds: 0 });
      onSettled?.('gone');
      return;
    }
    add(change, (outcome) => {
      gone ||= outcome === 'gone';
      onSettled?.(outcome);
    });
  };
}
