import type { RecordedSession, SessionRecorder } from '../ports.js';
import type { Outcome } from './journal.js';
import { messageId } from './message-id.js';
import type { RecordChange } from './record-changes.js';
import type { RecordMetrics } from './record-metrics.js';

export type SessionRecorderOptions = {
  readonly session: RecordedSession;
  readonly metrics: RecordMetrics;
  readonly add: (change: RecordChange, onSettled?: (outcome: Outcome) => void) => void;
};

export function createSessionRecorder(options: SessionRecorderOptions): SessionRecorder {
  const { session, metrics, add } = options;
  const { sessionId, conversationId } = session;
  return {
    message({ key, content, itemId, createdAt, ...said }, onSettled) {
      const id = messageId(sessionId, { key, contentIndex: said.contentIndex });
      const message = {
        ...said,
        id,
        conversationId,
        sessionId,
        content: storable(content),
        itemId: itemId && storable(itemId),
        createdAt: new Date(createdAt),
      };
      add({ kind: 'message', message }, (outcome) =>
        onSettled(outcome === 'stored' ? id : undefined),
      );
    },
    amend(parts, { itemId, ...change }) {
      const ids = parts.map((part) => messageId(sessionId, part));
      const named = itemId === undefined ? change : { ...change, itemId: storable(itemId) };
      add({ kind: 'amend', ids, change: named });
    },
    usage(usage) {
      metrics.used(usage);
      const { source, sourceId, model, counts } = usage;
      const ids = { conversationId, sessionId, sourceId: storable(sourceId) };
      add({ kind: 'usage', usage: { ...counts, ...ids, source, model } });
    },
    end({ reason: endReason, ...end }) {
      add({ kind: 'end', end: { ...end, id: sessionId, endReason, endedAt: new Date() } });
    },
  };
}

/** PostgreSQL’s text holds every character but this one. */
function storable(text: string): string {
  return text.replaceAll('\0', '');
}
