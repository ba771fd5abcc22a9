import type { ConversationDetails, ConversationSession } from '@parley/client/server';
import { Link } from '@tanstack/react-router';
import { useOrganization } from '../../api/parley.js';
import { AgentName } from '../../parts/agent-name.js';
import { Badge } from '../../parts/badge.js';
import { ShortId } from '../../parts/copy.js';
import { Card, Skeleton } from '../../parts/page.js';
import { Time, useNow } from '../../parts/time.js';
import { countText, durationText } from '../../parts/words.js';
import { AuditTrail } from './audit-trail-card.js';
import { endingText } from './session-end.js';
import { UsageTable } from './usage-table.js';
import styles from './conversation.module.css';

/** Details of the conversation next to its transcript. */
export function ConversationSide({
  conversation,
}: {
  readonly conversation: ConversationDetails | undefined;
}) {
  if (conversation === undefined)
    return (
      <aside className={styles.side} aria-busy="true">
        <Skeleton height={160} />
        <Skeleton height={120} />
      </aside>
    );
  const { sessions, usage } = conversation;
  return (
    <aside className={styles.side} aria-label="About the conversation">
      <About conversation={conversation} />
      <Card title="Calls">
        {sessions.length === 0 ? (
          <p className={styles.quiet}>Text questions only.</p>
        ) : (
          <ul className={styles.sessions}>
            {sessions.toReversed().map((session) => (
              <li key={session.id}>
                <Session session={session} />
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Card title="Usage">
        <UsageTable usage={usage} />
      </Card>
      <AuditTrail conversation={conversation} />
    </aside>
  );
}

function About({ conversation }: { readonly conversation: ConversationDetails }) {
  const { id: organizationId } = useOrganization();
  const { id, agentId, messageCount, createdAt, updatedAt } = conversation;
  return (
    <Card title="About">
      <dl className={styles.facts}>
        <dt>Agent</dt>
        <dd>
          <Link to="/$organizationId/agents/$agentId" params={{ organizationId, agentId }}>
            <AgentName id={agentId} />
          </Link>
        </dd>
        <dt>Conversation</dt>
        <dd>
          <ShortId id={id} what="conversation’s id" />
        </dd>
        <dt>Messages</dt>
        <dd>{countText(messageCount)}</dd>
        <dt>Began</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
        <dt>Last word</dt>
        <dd>
          <Time at={updatedAt} />
        </dd>
      </dl>
    </Card>
  );
}

function Session({ session }: { readonly session: ConversationSession }) {
  const { id, startedAt, endedAt, endReason } = session;
  const now = useNow(endedAt === null ? 1_000 : 60_000);
  const lasted = (endedAt === null ? now : Date.parse(endedAt)) - Date.parse(startedAt);
  return (
    <div className={styles.session}>
      <div className={styles.between}>
        <Time at={startedAt} />
        <ShortId id={id} what="call’s id" />
      </div>
      <div className={styles.between}>
        <span className={styles.quiet}>{endedAt === null ? '' : endingText(endReason)}</span>
        {endedAt === null && <Badge tone="ok">Live</Badge>}
        <span className={styles.quiet}>{durationText(Math.max(0, lasted))}</span>
      </div>
    </div>
  );
}
