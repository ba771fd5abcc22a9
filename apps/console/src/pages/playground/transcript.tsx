import type { Approval, Message, ToolCall } from '@parley/client';
import { memo, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { ApprovalCard } from '../../parts/approval-card.js';
import { humanized } from '../../parts/arguments.js';
import { Button } from '../../parts/button.js';
import type { Call } from './call.js';
import type { CallFacts } from './call-facts.js';
import type { CallState, Verdict } from './call-state.js';
import { heardParts } from './stream.js';
import { ToolCard } from './tool-card.js';
import { useCallPart } from './use-call.js';
import styles from './transcript.module.css';

const shownAtOnce = 200;

/**
 * Messages and calls in order. New entries are added at the end and announced to screen readers.
 */
export function Transcript({
  call,
  mayDecide,
  suggestions,
  children,
}: {
  readonly call: Call;
  /** Whether the user may decide over the API if the session itself may not. */
  readonly mayDecide: boolean;
  /** None if the user cannot talk to an agent. */
  readonly suggestions: readonly string[];
  /** What is above the first entry. */
  readonly children: ReactNode;
}) {
  const entries = useCallPart(call, (now) => now.entries);
  const outbox = useCallPart(call, (now) => now.outbox);
  const [shown, setShown] = useState(shownAtOnce);
  const box = useRef<HTMLDivElement>(null);
  useStickToEnd(box);
  const visible = entries.slice(-shown);
  return (
    <div className={styles.scroll} ref={box} tabIndex={0} aria-label="Transcript" role="log">
      {children}
      {entries.length === 0 && outbox === null && suggestions.length > 0 && (
        <Invitation call={call} suggestions={suggestions} />
      )}
      {entries.length > visible.length && (
        <Button small onClick={() => setShown(shown + shownAtOnce)}>
          Show earlier ({entries.length - visible.length})
        </Button>
      )}
      {visible.map((entry) =>
        entry.kind === 'message' ? (
          <MessageRow key={entry.key} message={entry.message} />
        ) : (
          <CallRow key={entry.key} call={call} tool={entry.call} mayDecide={mayDecide} />
        ),
      )}
      {outbox !== null && (
        <div className={styles.message} data-role="user">
          <p dir="auto">{outbox}</p>
          <span className={styles.note}>Will be sent once the session is open</span>
        </div>
      )}
      <Thinking call={call} />
    </div>
  );
}

function Invitation({
  call,
  suggestions,
}: {
  readonly call: Call;
  readonly suggestions: readonly string[];
}) {
  return (
    <div className={styles.invitation}>
      <strong>Talk to the agent, or write to it</strong>
      <p>Nothing is sent before you do. Try one of these:</p>
      <div className={styles.suggestions}>
        {suggestions.map((phrase) => (
          <Button key={phrase} small onClick={() => void call.write(phrase)}>
            {phrase}
          </Button>
        ))}
      </div>
    </div>
  );
}

const MessageRow = memo(function MessageRow({ message }: { readonly message: Message }) {
  const [heard, unheard] = heardParts(message);
  const { role, final, interrupted } = message;
  return (
    <div className={styles.message} data-role={role} data-final={final}>
      <span className="visually-hidden">{role === 'user' ? 'You:' : 'Agent:'}</span>
      <p dir="auto">
        {heard}
        {unheard !== '' && (
          <del>
            <span className="visually-hidden">Not heard: </span>
            {unheard}
          </del>
        )}
        {message.text.trim() === '' && <span className={styles.note}>Listening to you</span>}
      </p>
      {interrupted && <span className={styles.note}>Interrupted</span>}
    </div>
  );
});

const CallRow = memo(function CallRow({
  call,
  tool,
  mayDecide,
}: {
  readonly call: Call;
  readonly tool: ToolCall;
  readonly mayDecide: boolean;
}) {
  const { callId } = tool;
  const approval = useCallPart(call, (now) =>
    now.said.approvals.find((one) => one.callId === callId),
  );
  const facts = useCallPart(call, (now) => now.facts.get(callId));
  const verdict = useCallPart(call, (now) => now.verdicts.get(callId));
  const by = useCallPart(call, (now) => askedBy(now, facts));
  if (approval && approval.state !== 'approved')
    return (
      <Decision
        call={call}
        tool={tool}
        approval={approval}
        verdict={verdict}
        by={by}
        mayDecide={mayDecide}
      />
    );
  return (
    <ToolCard
      tool={tool}
      facts={facts}
      verdict={verdict}
      by={by}
      isApproved={approval !== undefined}
    />
  );
});

/** The agent that asked the sub-agent, if the call is the sub-agent's. */
function askedBy({ facts }: CallState, own: CallFacts | undefined): string | undefined {
  if (own?.agentId === undefined) return undefined;
  for (const { subagent } of facts.values()) if (subagent?.id === own.agentId) return subagent.name;
  return undefined;
}

function Decision({
  call,
  tool,
  approval,
  verdict,
  by,
  mayDecide,
}: {
  readonly call: Call;
  readonly tool: ToolCall;
  readonly approval: Approval;
  readonly verdict: Verdict | undefined;
  readonly by: string | undefined;
  readonly mayDecide: boolean;
}) {
  const { callId, decidable, state } = approval;
  const busy = useCallPart(call, (now) => now.deciding.has(callId));
  const isFirst = useCallPart(call, (now) => firstWaiting(now) === callId);
  const may = decidable || mayDecide;
  return (
    <ApprovalCard
      title={tool.title ?? humanized(tool.name)}
      toolName={tool.name}
      arguments={tool.arguments}
      caller={by === undefined ? undefined : `asked by ${by}`}
      expiresAt={approval.deadline}
      state={state}
      decidedBy={verdict?.by}
      decidedAt={verdict?.at}
      busy={busy}
      keys={isFirst && may}
      onApprove={may ? () => call.decide(callId, true) : undefined}
      onReject={may ? () => call.decide(callId, false) : undefined}
    >
      {state === 'waiting' && !may && (
        <p className={styles.note}>Somebody with the approver role decides this under Approvals.</p>
      )}
    </ApprovalCard>
  );
}

/** The keys A and R decide the one that has waited longest. */
function firstWaiting({ said, deciding }: CallState): string | undefined {
  return said.approvals.find(({ state, callId }) => state === 'waiting' && !deciding.has(callId))
    ?.callId;
}

function Thinking({ call }: { readonly call: Call }) {
  const thinks = useCallPart(
    call,
    ({ session, activity, entries }) =>
      session === 'open' && activity === 'thinking' && entries.at(-1)?.kind !== 'call',
  );
  if (!thinks) return null;
  return (
    <div className={styles.thinking} aria-hidden="true">
      <i />
      <i />
      <i />
    </div>
  );
}

/** Follows new entries, unless the user has scrolled up to read. */
function useStickToEnd(box: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const { current } = box;
    if (!current) return;
    let isAtEnd = true;
    const look = () => {
      isAtEnd = current.scrollHeight - current.scrollTop - current.clientHeight < 48;
    };
    const follow = () => {
      if (isAtEnd) current.scrollTop = current.scrollHeight;
    };
    current.addEventListener('scroll', look, { passive: true });
    const seen = new MutationObserver(follow);
    seen.observe(current, { childList: true, subtree: true, characterData: true });
    const sized = new ResizeObserver(follow);
    sized.observe(current);
    return () => {
      current.removeEventListener('scroll', look);
      seen.disconnect();
      sized.disconnect();
    };
  }, [box]);
}
