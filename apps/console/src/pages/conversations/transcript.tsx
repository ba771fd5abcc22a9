import type { ConversationSession, Message } from '@parley/client/server';
import { Fragment, useEffect, useRef } from 'react';
import { Button } from '../../parts/button.js';
import { FailureNote, FailureState } from '../../parts/failure-note.js';
import { EmptyState, Skeleton } from '../../parts/page.js';
import { countText, exactTime } from '../../parts/words.js';
import { endingText } from './session-end.js';
import { TranscriptMessage } from './transcript-message.js';
import type { Transcript } from './use-transcript.js';
import styles from './transcript.module.css';

/** Messages and tool calls in order, with their times. */
export function TranscriptView({
  transcript,
  sessions = [],
}: {
  readonly transcript: Transcript;
  readonly sessions?: readonly ConversationSession[];
}) {
  const { messages, error, total } = transcript;
  if (messages === undefined && error !== null)
    return <FailureState error={error} onRetry={transcript.onRetry} />;
  if (messages === undefined) return <Waiting />;
  if (messages.length === 0)
    return (
      <EmptyState title="No messages yet">
        What the caller and the agent say appears here as they speak.
      </EmptyState>
    );
  return (
    <div className={styles.transcript}>
      <FailureNote error={error} />
      {transcript.hasEarlier && (
        <div className={styles.more}>
          <Button small busy={transcript.busy} onClick={transcript.onEarlier}>
            Load earlier messages
          </Button>
          <Button small look="ghost" onClick={transcript.onBeginning}>
            Go to the beginning of {countText(total)}
          </Button>
        </div>
      )}
      <MessageList messages={messages} sessions={sessions} follow={!transcript.hasLater} />
      {transcript.hasLater && (
        <div className={styles.more}>
          <Button small busy={transcript.busy} onClick={transcript.onLater}>
            Load later messages
          </Button>
          <Button small look="ghost" onClick={transcript.onEnd}>
            Go to the end
          </Button>
        </div>
      )}
    </div>
  );
}

type ListProps = {
  readonly messages: readonly Message[];
  readonly sessions: readonly ConversationSession[];
  readonly follow: boolean;
};

function MessageList({ messages, sessions, follow }: ListProps) {
  const names = new Map(
    messages.flatMap(({ toolCall }) => (toolCall ? [[toolCall.id, toolCall.name] as const] : [])),
  );
  return (
    <div role="log" aria-label="Transcript">
      <ol className={styles.list}>
        {messages.map((message, at) => {
          const before = messages[at - 1];
          const begins = message.sessionId !== (before?.sessionId ?? null);
          return (
            <Fragment key={message.id}>
              {begins && (
                <SessionLine
                  session={sessions.find(({ id }) => id === message.sessionId)}
                  question={message.sessionId === null}
                />
              )}
              <TranscriptMessage
                message={message}
                within={names.get(message.toolCall?.parentId ?? '')}
              />
            </Fragment>
          );
        })}
      </ol>
      {follow && <End count={messages.length} />}
    </div>
  );
}

function SessionLine({
  session,
  question,
}: {
  readonly session: ConversationSession | undefined;
  readonly question: boolean;
}) {
  return (
    <li className={styles.line}>
      <span>
        {question ? 'Text questions' : 'Call'}
        {session && ` · ${exactTime(new Date(session.startedAt))}`}
        {session && (session.endedAt === null ? ' · live' : ` · ${endingText(session.endReason)}`)}
      </span>
    </li>
  );
}

const near = 160;

/** Keeps the newest in view for readers at the end, and does not scroll for readers further up. */
function End({ count }: { readonly count: number }) {
  const mark = useRef<HTMLDivElement>(null);
  const before = useRef(count);
  useEffect(() => {
    const grew = count > before.current && count - before.current < 20;
    before.current = count;
    const bottom = mark.current?.getBoundingClientRect().top ?? Infinity;
    if (grew && bottom < innerHeight + near) mark.current?.scrollIntoView({ block: 'nearest' });
  }, [count]);
  return <div ref={mark} aria-hidden="true" />;
}

function Waiting() {
  return (
    <div className={styles.transcript} aria-busy="true">
      {['60%', '85%', '40%', '70%'].map((width) => (
        <div key={width} className={styles.message}>
          <Skeleton width={40} />
          <Skeleton width={width} height={34} />
        </div>
      ))}
    </div>
  );
}
