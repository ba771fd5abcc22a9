import type { Approval } from '@parley/client/server';
import { Link } from '@tanstack/react-router';
import { useMay, useOrganization } from '../../api/parley.js';
import { useMe } from '../../api/signed-in.js';
import { AgentName } from '../../parts/agent-name.js';
import { ApprovalCard } from '../../parts/approval-card.js';
import { FailureNote } from '../../parts/failure-note.js';
import { useToolTitle } from '../../parts/tool-title.js';
import { decidedHere, deciderText } from './inbox.js';
import { useDecide } from './use-waiting.js';
import styles from './approvals.module.css';

export function OpenApproval({ approval }: { readonly approval: Approval }) {
  const decide = useDecide(approval);
  const shown = decide.data?.outcome ?? approval;
  const may = useMay('approver') && decidedHere(approval);
  return (
    <ApprovalRecord
      approval={shown}
      busy={decide.isPending}
      {...(may && {
        onApprove: () => decide.mutate('approved'),
        onReject: () => decide.mutate('rejected'),
      })}
    >
      {shown.state === 'waiting' && <WhyNot approval={approval} />}
      {decide.data?.first === false && (
        <p className={styles.note} role="status">
          Somebody else decided first.
        </p>
      )}
      <FailureNote error={decide.error} />
    </ApprovalRecord>
  );
}

type RecordProps = {
  readonly approval: Approval;
  readonly busy?: boolean;
  readonly onApprove?: () => void;
  readonly onReject?: () => void;
  readonly children?: React.ReactNode;
};

/** An approval, waiting or decided, and its context. */
export function ApprovalRecord({ approval, busy = false, children, ...deciding }: RecordProps) {
  const { id } = useOrganization();
  const me = useMe().user.id;
  const { conversationId } = approval;
  return (
    <ApprovalCard
      title={useToolTitle(approval.agentId, approval.name)}
      toolName={approval.name}
      arguments={approval.arguments}
      caller={
        <>
          <AgentName id={approval.agentId} />
          {approval.sessionId === null ? ' answers a question' : ' is on a call'} ·{' '}
          <Link
            to="/$organizationId/conversations/$conversationId"
            params={{ organizationId: id, conversationId }}
          >
            Read the conversation
          </Link>
        </>
      }
      expiresAt={approval.deadline}
      state={approval.state}
      decidedBy={deciderText(approval.decidedBy, me)}
      decidedAt={approval.decidedAt ?? undefined}
      busy={busy}
      keys={deciding.onApprove !== undefined}
      {...deciding}
    >
      {children}
    </ApprovalCard>
  );
}

function WhyNot({ approval }: { readonly approval: Approval }) {
  const may = useMay('approver');
  if (!decidedHere(approval))
    return <p className={styles.note}>Only the caller can decide this call, in their own app.</p>;
  if (!may)
    return (
      <p className={styles.note}>Your role can only read approvals. An approver decides them.</p>
    );
  return null;
}
