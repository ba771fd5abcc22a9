import type { ConversationDetails } from '@parley/client/server';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useOrganization, useParley } from '../../api/parley.js';
import { FailureNote } from '../../parts/failure-note.js';
import { Card, Skeleton } from '../../parts/page.js';
import { Time } from '../../parts/time.js';
import { readTrail } from './audit-trail.js';
import styles from './conversation.module.css';

/** The audit records of the conversation. */
export function AuditTrail({ conversation }: { readonly conversation: ConversationDetails }) {
  const { id } = useOrganization();
  const parley = useParley();
  const { data, error } = useQuery({
    queryKey: [id, 'audit', 'conversation', conversation.id],
    queryFn: () => readTrail(parley, conversation),
    staleTime: 30_000,
  });
  return (
    <Card
      title="Audit trail"
      actions={
        <Link to="/$organizationId/audit" params={{ organizationId: id }}>
          Audit log
        </Link>
      }
    >
      <FailureNote error={error} />
      {data === undefined && error === null && <Skeleton height={40} />}
      {data?.records.length === 0 && <p className={styles.quiet}>No audit records.</p>}
      <ul className={styles.sessions}>
        {data?.records.map((record) => (
          <li key={record.sequence} className={styles.session}>
            <div className={styles.between}>
              <code>{record.action}</code>
              <Time at={record.occurredAt} />
            </div>
            <span className={styles.quiet}>
              by <bdi>{record.actor.name}</bdi>
            </span>
          </li>
        ))}
      </ul>
      {data?.whole === false && (
        <p className={styles.quiet}>
          The log of that period is long, so only its beginning was searched.
        </p>
      )}
    </Card>
  );
}
