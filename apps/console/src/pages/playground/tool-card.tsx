import type { ToolCall } from '@parley/client';
import { Bot, Monitor, Wrench } from 'lucide-react';
import { ArgumentsList } from '../../parts/arguments-list.js';
import { humanized } from '../../parts/arguments.js';
import { Badge, type Tone } from '../../parts/badge.js';
import { CodeBlock, JsonBlock } from '../../parts/code-block.js';
import { Time, useNow } from '../../parts/time.js';
import { durationText } from '../../parts/words.js';
import type { CallFacts } from './call-facts.js';
import type { Verdict } from './call-state.js';
import styles from './tool-card.module.css';

const states: Readonly<Record<ToolCall['state'], { readonly word: string; readonly tone: Tone }>> =
  {
    waiting: { word: 'Waiting', tone: 'warn' },
    running: { word: 'Running', tone: 'accent' },
    done: { word: 'Done', tone: 'ok' },
    failed: { word: 'Failed', tone: 'danger' },
  };

/** A tool call in the transcript: of this page, of the service, or of a sub-agent. */
export function ToolCard({
  tool,
  facts,
  verdict,
  by,
  isApproved,
}: {
  readonly tool: ToolCall;
  readonly facts: CallFacts | undefined;
  readonly verdict: Verdict | undefined;
  readonly by: string | undefined;
  readonly isApproved: boolean;
}) {
  const { word, tone } = states[tool.state];
  const subagent = facts?.subagent;
  const title = subagent ? `Asks ${subagent.name}` : (tool.title ?? humanized(tool.name));
  const Icon = subagent ? Bot : tool.origin === 'client' ? Monitor : Wrench;
  return (
    <article className={styles.card} aria-label={`Tool: ${title}`} data-state={tool.state}>
      <header className={styles.head}>
        <Icon size={16} aria-hidden="true" />
        <strong dir="auto">{title}</strong>
        <Badge tone={tone}>{word}</Badge>
        <Duration facts={facts} isOpen={tool.state === 'running' || tool.state === 'waiting'} />
      </header>
      <p className={styles.meta}>
        <code>{tool.name}</code>
        <span>{tool.origin === 'client' ? 'runs in this page' : 'runs in the service'}</span>
        {by !== undefined && (
          <span>
            called by <bdi>{by}</bdi>
          </span>
        )}
        {isApproved && (
          <span>
            approved by <bdi>{verdict?.by ?? 'somebody else'}</bdi>{' '}
            {verdict && <Time at={verdict.at} />}
          </span>
        )}
      </p>
      <ArgumentsList value={tool.arguments} />
      {tool.output !== null && tool.output !== '' && (
        <details className={styles.result}>
          <summary>{tool.state === 'failed' ? 'What went wrong' : 'Result'}</summary>
          <Output text={tool.output} />
        </details>
      )}
      {tool.link && (
        <p className={styles.meta}>
          <bdi>{tool.link.label}</bdi>
          <code>{tool.link.url}</code>
        </p>
      )}
    </article>
  );
}

function Output({ text }: { readonly text: string }) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return <CodeBlock wrap label="Result" snippets={[{ language: 'Text', code: text }]} />;
  }
  return <JsonBlock value={value} label="Result" />;
}

function Duration({
  facts,
  isOpen,
}: {
  readonly facts: CallFacts | undefined;
  readonly isOpen: boolean;
}) {
  const now = useNow(isOpen ? 200 : 60_000);
  if (!facts) return null;
  const { startedAt, endedAt, executionMs } = facts;
  if (!isOpen && endedAt === undefined) return null;
  const ms = executionMs ?? Math.max(0, (isOpen ? now : (endedAt ?? now)) - startedAt);
  return <span className={styles.duration}>{durationText(ms)}</span>;
}
