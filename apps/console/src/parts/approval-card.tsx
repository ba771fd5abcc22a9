import { Check, Clock, X } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { ArgumentsList } from './arguments-list.js';
import { Badge, type Tone } from './badge.js';
import { Button } from './button.js';
import { isElsewhere } from './keys.js';
import { Time, useNow } from './time.js';
import { clockText } from './words.js';
import styles from './approval-card.module.css';

export type ApprovalState = 'waiting' | 'approved' | 'rejected' | 'expired' | 'cancelled';

export type ApprovalCardProps = {
  /** What the agent wants to do, in one line: the tool's title. */
  readonly title: string;
  readonly toolName: string;
  readonly arguments: unknown;
  /** Who is on the call. */
  readonly caller?: ReactNode;
  /** When the approval expires; the card counts down to it. */
  readonly expiresAt?: string | Date | undefined;
  /** Used instead of `expiresAt` if somebody else counts down. */
  readonly secondsLeft?: number | undefined;
  readonly state: ApprovalState;
  /** A name: "Jane Doe", "You". */
  readonly decidedBy?: string | undefined;
  readonly decidedAt?: string | undefined;
  /** Absent if the user may not decide, or not here. */
  readonly onApprove?: (() => void) | undefined;
  readonly onReject?: (() => void) | undefined;
  /** A decision is being sent. */
  readonly busy: boolean;
  /** Whether the keys A and R decide this one. At most one card per page has them. */
  readonly keys?: boolean;
  /** Further content of the card, such as why it cannot be decided here. */
  readonly children?: ReactNode;
};

/**
 * A call that needs a decision: everything needed to decide, and afterwards who decided and when.
 */
export function ApprovalCard(props: ApprovalCardProps) {
  const { title, toolName, caller, state } = props;
  const left = useSecondsLeft(props);
  return (
    <article className={styles.card} data-state={state} aria-label={`Approval: ${title}`}>
      <header className={styles.head}>
        <h3 dir="auto">{title}</h3>
        {state === 'waiting' ? <Countdown left={left} /> : <Verdict {...props} />}
      </header>
      <p className={styles.meta}>
        <code>{toolName}</code>
        {caller !== undefined && <bdi>{caller}</bdi>}
      </p>
      <ArgumentsList value={props.arguments} />
      {props.children}
      {state === 'waiting' && <Decision {...props} over={left === 0} />}
    </article>
  );
}

function useSecondsLeft({ state, expiresAt, secondsLeft }: ApprovalCardProps): number | undefined {
  const now = useNow(state === 'waiting' ? 500 : 60_000);
  if (expiresAt === undefined) return secondsLeft;
  return Math.max(0, Math.ceil((new Date(expiresAt).getTime() - now) / 1_000));
}

const soon = 30;
const urgent = 10;

function Countdown({ left }: { readonly left: number | undefined }) {
  if (left === undefined) return <Badge tone="warn">Waiting</Badge>;
  return (
    <>
      <span
        className={styles.countdown}
        data-urgent={left <= urgent}
        role="timer"
        aria-label="Time left to decide"
      >
        <Clock size={14} aria-hidden="true" />
        {left === 0 ? 'Expired' : `${clockText(left)} left`}
      </span>
      <span className="visually-hidden" aria-live="polite">
        {left <= soon && left > 0 ? 'Less than half a minute left to decide.' : ''}
      </span>
    </>
  );
}

const verdicts: Readonly<
  Record<Exclude<ApprovalState, 'waiting'>, { readonly word: string; readonly tone: Tone }>
> = {
  approved: { word: 'Approved', tone: 'ok' },
  rejected: { word: 'Rejected', tone: 'danger' },
  expired: { word: 'Not decided in time', tone: 'neutral' },
  cancelled: { word: 'No longer needed', tone: 'neutral' },
};

function Verdict({ state, decidedBy, decidedAt }: ApprovalCardProps) {
  if (state === 'waiting') return null;
  const { word, tone } = verdicts[state];
  return (
    <span className={styles.verdict}>
      <Badge tone={tone}>{word}</Badge>
      {decidedBy !== undefined && (
        <span>
          by <bdi>{decidedBy}</bdi>
        </span>
      )}
      {decidedAt !== undefined && <Time at={decidedAt} />}
    </span>
  );
}

function Decision({
  onApprove,
  onReject,
  busy,
  keys = false,
  over,
}: ApprovalCardProps & { readonly over: boolean }) {
  const open = !busy && !over;
  useDecisionKeys(keys && open, { a: onApprove, r: onReject });
  if (!onApprove || !onReject) return null;
  return (
    <div className={styles.actions}>
      <Button className={styles.reject} busy={busy} disabled={over} onClick={onReject}>
        <X size={16} aria-hidden="true" /> Reject {keys && <kbd aria-hidden="true">R</kbd>}
      </Button>
      <Button className={styles.approve} busy={busy} disabled={over} onClick={onApprove}>
        <Check size={16} aria-hidden="true" /> Approve {keys && <kbd aria-hidden="true">A</kbd>}
      </Button>
    </div>
  );
}

type Keys = Readonly<Record<'a' | 'r', (() => void) | undefined>>;

/** Letters only decide if the focus is not in a text field and no dialog is open. */
function useDecisionKeys(active: boolean, keys: Keys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    if (!active) return;
    const press = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      if ((key !== 'a' && key !== 'r') || event.repeat || isElsewhere(event)) return;
      const decide = latest.current[key];
      if (!decide) return;
      event.preventDefault();
      decide();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [active]);
}
