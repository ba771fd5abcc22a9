import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { Approval } from '@parley/client/server';
import { useState } from 'react';
import { useMay, useOrganization } from '../../api/parley.js';
import { AgentName } from '../../parts/agent-name.js';
import { readableArguments } from '../../parts/arguments.js';
import { buttonClass } from '../../parts/button.js';
import { FailureState } from '../../parts/failure-note.js';
import { useKeys } from '../../parts/keys.js';
import { Card, EmptyState, Skeleton } from '../../parts/page.js';
import { ToolTitle } from '../../parts/tool-title.js';
import { countOf, countText } from '../../parts/words.js';
import { useWide } from '../../parts/wide.js';
import { bySoonest, neighbour, openOf } from './inbox.js';
import { OpenApproval } from './open-approval.js';
import { TimeLeft } from './time-left.js';
import { useOutcome, useWaiting } from './use-waiting.js';
import styles from './approvals.module.css';

/**
 * All waiting approvals of the organization: the list on the left, the open one on the right; on a
 * phone, one at a time.
 */
export function WaitingApprovals() {
  const { data, error, refetch } = useWaiting();
  if (data === undefined && error !== null)
    return (
      <Card>
        <FailureState error={error} onRetry={() => void refetch()} />
      </Card>
    );
  if (data === undefined) return <Waiting />;
  return <Inbox waiting={data.items} total={data.total} />;
}

function Inbox({
  waiting,
  total,
}: {
  readonly waiting: readonly Approval[];
  readonly total: number;
}) {
  const { id } = useSearch({ from: '/$organizationId/approvals' });
  const navigate = useNavigate({ from: '/$organizationId/approvals' });
  const wide = useWide();
  const { open, listed } = useOpen(waiting, id);
  const ids = listed.map((each) => each.id);
  const move = (step: 1 | -1) => {
    const next = neighbour(ids, open?.id, step);
    if (next === undefined) return;
    void navigate({ search: { id: next }, replace: true });
    document.getElementById(`approval-${next}`)?.focus();
  };
  useKeys(
    new Map([
      ['j', () => move(1)],
      ['k', () => move(-1)],
    ]),
  );
  return (
    <>
      <p className="visually-hidden" role="status">
        {countOf(total, 'approval is', 'approvals are')} waiting.
      </p>
      {open === undefined && listed.length === 0 ? (
        <Card>{id === undefined ? <Nothing /> : <NoLonger />}</Card>
      ) : (
        <div className={styles.inbox}>
          {(wide || id === undefined) && (
            <div className={styles.side}>
              <ul className={styles.list} aria-label="Waiting approvals">
                {listed.map((approval) => (
                  <li key={approval.id}>
                    <Row approval={approval} current={wide && approval.id === open?.id} />
                  </li>
                ))}
              </ul>
              {total > waiting.length && (
                <p className={styles.note}>
                  The {waiting.length} oldest are shown, of {countText(total)}.
                </p>
              )}
              {wide && <Hint />}
            </div>
          )}
          {(wide || id !== undefined) && (
            <div className={styles.open}>
              {!wide && <BackLink />}
              {open === undefined ? <NoLonger /> : <OpenApproval key={open.id} approval={open} />}
            </div>
          )}
        </div>
      )}
    </>
  );
}

/** The open approval, kept in sync with the list. */
function useOpen(waiting: readonly Approval[], id: string | undefined) {
  const ordered = bySoonest(waiting);
  const [before, setBefore] = useState<Approval>();
  const { open, gone } = openOf(ordered, id, before);
  if (open !== undefined && open !== before) setBefore(open);
  const outcome = useOutcome(gone ? open : undefined);
  if (!gone || open === undefined) return { open, listed: ordered };
  const now = outcome ?? open;
  return { open: now, listed: bySoonest([...waiting, now]) };
}

function Row({ approval, current }: { readonly approval: Approval; readonly current: boolean }) {
  const { id } = useOrganization();
  const about = readableArguments(approval.arguments).rows[0]?.value.slice(0, 80);
  return (
    <Link
      id={`approval-${approval.id}`}
      to="/$organizationId/approvals"
      params={{ organizationId: id }}
      search={{ id: approval.id }}
      replace
      className={styles.row ?? ''}
      aria-current={current ? 'true' : undefined}
    >
      <span className={styles.title}>
        <ToolTitle agentId={approval.agentId} name={approval.name} />
      </span>
      <TimeLeft approval={approval} />
      <span className={styles.agent}>
        {about !== undefined && (
          <>
            <bdi>{about}</bdi> ·{' '}
          </>
        )}
        <AgentName id={approval.agentId} />
      </span>
    </Link>
  );
}

function BackLink() {
  const { id } = useOrganization();
  return (
    <Link
      to="/$organizationId/approvals"
      params={{ organizationId: id }}
      className={`${buttonClass('ghost', true)} ${styles.back}`}
    >
      <ArrowLeft size={14} /> All waiting approvals
    </Link>
  );
}

function Nothing() {
  const { id } = useOrganization();
  return (
    <EmptyState
      title="No approvals are waiting"
      action={
        <Link
          className={buttonClass()}
          to="/$organizationId/agents"
          params={{ organizationId: id }}
        >
          See your agents
        </Link>
      }
    >
      When an agent calls a tool that needs approval, the call appears here.
    </EmptyState>
  );
}

function NoLonger() {
  const { id } = useOrganization();
  return (
    <EmptyState
      title="This approval is no longer waiting"
      action={
        <Link
          className={buttonClass()}
          to="/$organizationId/approvals"
          params={{ organizationId: id }}
          search={{ state: 'decided' }}
        >
          See decided approvals
        </Link>
      }
    >
      It was decided or expired, or the link is wrong.
    </EmptyState>
  );
}

function Hint() {
  const mayDecide = useMay('approver');
  return (
    <p className={styles.hint}>
      <kbd>J</kbd> <kbd>K</kbd> to move
      {mayDecide && (
        <>
          , <kbd>A</kbd> to approve, <kbd>R</kbd> to reject
        </>
      )}
    </p>
  );
}

function Waiting() {
  return (
    <div className={styles.inbox} aria-busy="true">
      <div className={styles.side}>
        <div className={styles.list}>
          {[0, 1, 2].map((row) => (
            <div key={row} className={styles.row}>
              <Skeleton width="70%" />
              <Skeleton width={40} />
              <Skeleton width="40%" />
            </div>
          ))}
        </div>
      </div>
      <div className={styles.open}>
        <Skeleton height={220} />
      </div>
    </div>
  );
}
