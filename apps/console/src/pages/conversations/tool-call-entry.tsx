import type { Message } from '@parley/client/server';
import { ChevronRight, Wrench } from 'lucide-react';
import { useState } from 'react';
import { useMe } from '../../api/signed-in.js';
import { ArgumentsList } from '../../parts/arguments-list.js';
import { Badge, type Tone } from '../../parts/badge.js';
import { LongText } from '../../parts/long-text.js';
import { Time } from '../../parts/time.js';
import { ToolTitle } from '../../parts/tool-title.js';
import { durationText } from '../../parts/words.js';
import { deciderText } from '../approvals/inbox.js';
import { stateWords } from '../approvals/state-words.js';
import styles from './transcript.module.css';

type Call = NonNullable<Message['toolCall']>;

const states: readonly { readonly word: string; readonly tone: Tone }[] = [
  { word: 'Running', tone: 'accent' },
  { word: 'Done', tone: 'ok' },
  { word: 'Failed', tone: 'danger' },
  { word: 'Waiting for approval', tone: 'warn' },
];

/** A tool call in one line, which expands to its arguments and result. */
export function ToolCallEntry({
  call,
  within,
}: {
  readonly call: Call;
  readonly within: string | undefined;
}) {
  const [open, setOpen] = useState(false);
  const state = states[call.status];
  return (
    <details
      className={styles.call}
      data-nested={within !== undefined}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <ChevronRight size={14} aria-hidden="true" className={styles.turn} />
        <Wrench size={14} aria-hidden="true" />
        <span className={styles.tool}>
          <ToolTitle agentId={call.agentId} name={call.name} />
        </span>
        {call.approval !== null && call.approval !== 'waiting' && (
          <Badge tone={stateWords[call.approval].tone}>{stateWords[call.approval].word}</Badge>
        )}
        {state && <Badge tone={state.tone}>{state.word}</Badge>}
        {call.executionTimeSeconds !== null && (
          <span className={styles.usage}>{durationText(call.executionTimeSeconds * 1_000)}</span>
        )}
      </summary>
      {open && <CallDetails call={call} within={within} />}
    </details>
  );
}

function CallDetails({
  call,
  within,
}: {
  readonly call: Call;
  readonly within: string | undefined;
}) {
  const decider = deciderText(call.decidedBy, useMe().user.id);
  return (
    <div className={styles.details}>
      <p className={styles.usage}>
        <code>{call.name}</code>
        {within !== undefined && <> inside {within}</>}
      </p>
      {call.approval !== null && call.approval !== 'waiting' && (
        <p>
          {stateWords[call.approval].word}
          {decider !== undefined && (
            <>
              {' '}
              by <bdi>{decider}</bdi>
            </>
          )}{' '}
          <Time at={call.decidedAt} absent="" />
        </p>
      )}
      <h4>Arguments</h4>
      <ArgumentsList value={call.arguments} />
      <h4>Result</h4>
      {call.result === null || call.result === undefined ? (
        <p className={styles.silent}>Nothing yet.</p>
      ) : (
        <div className={styles.result}>
          <LongText text={resultText(call.result)} />
        </div>
      )}
    </div>
  );
}

function resultText(result: unknown): string {
  return typeof result === 'string' ? result : JSON.stringify(result, null, 2);
}
