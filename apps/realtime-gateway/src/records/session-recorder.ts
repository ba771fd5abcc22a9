import type { Outcome, RecordChange } from '@parley/database';
import type { PartName, SaidMessage } from '../core/ledger.js';
import type { Amendment } from '../core/note.js';
import type { UsageNote } from '../core/usage.js';
import type { RecordedSession, SessionEnd, SessionRecorder } from '../ports.js';
import { messageId } from './message-id.js';
import type { RecordMetrics } from './record-metrics.js';

type OnSettled = (id: string | undefined) => void;

export type SessionRecorderOptions = {
  readonly session: RecordedSession;
  readonly metrics: RecordMetrics;
  readonly add: (change: RecordChange, onSettled?: (outcome: Outcome) => void) => void;
};

/**
 * The conversation may be deleted during its session. What is said from then on is counted, and the
 * client is notified once.
 */
export class Recorder implements Omit<SessionRecorder, 'past'> {
  readonly #options: SessionRecorderOptions;
  #told = false;
  #gone = false;

  constructor(options: SessionRecorderOptions) {
    this.#options = options;
  }

  message({ key, createdAt, ...said }: SaidMessage, onSettled: OnSettled): void {
    const { sessionId, conversationId } = this.#options.session;
    const id = messageId(sessionId, { key, contentIndex: said.contentIndex });
    const ids = { id, conversationId, sessionId };
    const message = { ...said, ...ids, createdAt: new Date(createdAt) };
    this.#add({ kind: 'message', message }, this.#telling(id, onSettled));
  }

  rewrite({ content, status, ...part }: SaidMessage, onSettled: OnSettled): void {
    const { sessionId, conversationId } = this.#options.session;
    const id = messageId(sessionId, part);
    const change = { content, status };
    const amendment = { kind: 'amend', ids: [id], change, conversationId } as const;
    this.#add(amendment, this.#telling(id, onSettled));
  }

  amend(parts: readonly PartName[], change: Amendment): void {
    const { sessionId } = this.#options.session;
    const ids = parts.map((part) => messageId(sessionId, part));
    this.#add({ kind: 'amend', ids, change });
  }

  usage(usage: UsageNote): void {
    const { metrics, session } = this.#options;
    const { sessionId, conversationId } = session;
    metrics.used(usage);
    const { counts, ...source } = usage;
    this.#add({ kind: 'usage', usage: { ...counts, ...source, conversationId, sessionId } });
  }

  end({ reason: endReason, ...end }: SessionEnd, onSettled?: (outcome: Outcome) => void): void {
    const { sessionId: id } = this.#options.session;
    this.#add(
      { kind: 'end', end: { ...end, id, endReason, endedAt: performance.now() } },
      onSettled,
    );
  }

  #telling(id: string, onSettled: OnSettled) {
    return (outcome: Outcome) => {
      if (outcome === 'gone' && this.#told) return;
      this.#told ||= outcome === 'gone';
      onSettled(outcome === 'stored' ? id : undefined);
    };
  }

  /** Once the conversation is gone, skips the database. */
  #add(change: RecordChange, onSettled?: (outcome: Outcome) => void): void {
    const { metrics, add } = this.#options;
    if (this.#gone) {
      metrics.settled({ kind: change.kind, outcome: 'gone', seconds: 0 });
      onSettled?.('gone');
      return;
    }
    add(change, (outcome) => {
      this.#gone ||= outcome === 'gone';
      onSettled?.(outcome);
    });
  }
}
