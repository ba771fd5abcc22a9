import type { Message } from '@parley/client/server';
import { Bot, Scissors, User } from 'lucide-react';
import { Badge } from '../../parts/badge.js';
import { LongText } from '../../parts/long-text.js';
import { countText, durationText, exactTime, timeOfDay } from '../../parts/words.js';
import { ToolCallEntry } from './tool-call-entry.js';
import { tokensOf } from './usage-sum.js';
import styles from './transcript.module.css';

const clock = new Intl.DateTimeFormat('en', { ...timeOfDay, second: '2-digit' });

/** One entry of a transcript: a message, or a tool call. */
export function TranscriptMessage({
  message,
  within,
}: {
  readonly message: Message;
  /** The sub-agent call that it was made in. */
  readonly within: string | undefined;
}) {
  const at = new Date(message.createdAt);
  return (
    <li className={styles.message} data-role={message.role}>
      <time className={styles.time} dateTime={message.createdAt} title={exactTime(at)}>
        {clock.format(at)}
      </time>
      {message.toolCall ? (
        <ToolCallEntry call={message.toolCall} within={within} />
      ) : (
        <Said message={message} />
      )}
    </li>
  );
}

function Said({ message }: { readonly message: Message }) {
  const { role, content, author, status } = message;
  const Icon = role === 'user' ? User : Bot;
  return (
    <div className={styles.said}>
      <div className={styles.who}>
        <Icon size={14} aria-hidden="true" />
        {role === 'user' ? 'Caller' : 'Agent'}
        {author === 'client' && <Badge plain>added by the caller’s app</Badge>}
        {message.interrupted && <Interruption ms={message.audioEndMs} />}
        {message.usage && (
          <span className={styles.usage}>{countText(tokensOf(message.usage))} tokens</span>
        )}
      </div>
      {content === '' ? (
        <p className={styles.silent}>{status === 'failed' ? 'The text is unknown.' : 'No text.'}</p>
      ) : (
        <LongText text={content} />
      )}
    </div>
  );
}

function Interruption({ ms }: { readonly ms: number | null }) {
  return (
    <Badge tone="warn" plain>
      <Scissors size={12} aria-hidden="true" />
      Interrupted by the caller{ms !== null && ` after ${durationText(ms)}`}
    </Badge>
  );
}
