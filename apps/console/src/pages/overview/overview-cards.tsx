import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useOrganization, useParley } from '../../api/parley.js';
import { FailureNote } from '../../parts/failure-note.js';
import { Card, Skeleton } from '../../parts/page.js';
import { Time } from '../../parts/time.js';
import { countOf } from '../../parts/words.js';
import { responseText } from '../webhooks/events.js';
import { failedDeliveries } from './failures.js';
import styles from './overview.module.css';

const shown = 5;

export function WaitingCard() {
  const { id } = useOrganization();
  const parley = useParley();
  const waiting = useQuery({
    queryKey: [id, 'approvals', 'overview'],
    queryFn: async () => parley.approvals.list({ state: 'waiting', limit: shown }),
  });
  return (
    <ListCard
      title="Waiting for approval"
      read={waiting}
      count={waiting.data && countOf(waiting.data.total, 'approval')}
      empty="No tool call is waiting for a decision."
      more={
        <Link to="/$organizationId/approvals" params={{ organizationId: id }}>
          Open approvals
        </Link>
      }
    >
      {waiting.data?.items.map((approval) => (
        <li key={approval.id}>
          <Link
            to="/$organizationId/approvals"
            params={{ organizationId: id }}
            search={{ id: approval.id }}
          >
            {approval.name}
          </Link>
          <span>
            expires <Time at={approval.deadline} />
          </span>
        </li>
      ))}
    </ListCard>
  );
}

export function LiveCard() {
  const { id } = useOrganization();
  const parley = useParley();
  const live = useQuery({
    queryKey: [id, 'sessions', 'overview'],
    queryFn: async () => parley.realtimeSessions.list({ limit: shown }),
  });
  return (
    <ListCard
      title="Live now"
      read={live}
      count={live.data && countOf(live.data.total, 'session')}
      empty="Nobody is talking to an agent."
      more={
        <Link to="/$organizationId/live" params={{ organizationId: id }}>
          Open live sessions
        </Link>
      }
    >
      {live.data?.items.map((session) => (
        <li key={session.id}>
          <Link
            to="/$organizationId/conversations/$conversationId"
            params={{ organizationId: id, conversationId: session.conversationId }}
          >
            Session {session.id.slice(0, 8)}
          </Link>
          <span>
            began <Time at={session.startedAt} />
          </span>
        </li>
      ))}
    </ListCard>
  );
}

/** Failed deliveries, and the number of errors in the charts. */
export function FailuresCard({ errors }: { readonly errors: number | undefined }) {
  const { id } = useOrganization();
  const parley = useParley();
  const failed = useQuery({
    queryKey: [id, 'webhooks', 'failed'],
    queryFn: () => failedDeliveries(parley),
    refetchInterval: 60_000,
  });
  return (
    <ListCard
      title="Recent failures"
      read={failed}
      count={errors === undefined ? undefined : countOf(errors, 'error')}
      empty="All webhook deliveries succeeded."
      more={
        <Link to="/$organizationId/usage" params={{ organizationId: id }}>
          Errors over time
        </Link>
      }
    >
      {failed.data?.map(({ webhook, delivery }) => (
        <li key={delivery.id}>
          <Link
            to="/$organizationId/webhooks/$webhookId"
            params={{ organizationId: id, webhookId: webhook.id }}
          >
            {delivery.event} to {hostOf(webhook.url)}
          </Link>
          <span dir="auto" className={styles.response}>
            {responseText(delivery)} · <Time at={delivery.createdAt} />
          </span>
        </li>
      ))}
    </ListCard>
  );
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

function ListCard({
  title,
  read,
  count,
  empty,
  more,
  children,
}: {
  readonly title: string;
  readonly read: { readonly isPending: boolean; readonly error: unknown };
  readonly count: string | undefined;
  readonly empty: string;
  readonly more: ReactNode;
  readonly children: readonly ReactNode[] | undefined;
}) {
  return (
    <Card title={title} actions={<span className={styles.count}>{count}</span>}>
      <FailureNote error={read.error} />
      {read.isPending && <Skeleton height={44} />}
      {children?.length === 0 && <p className={styles.quiet}>{empty}</p>}
      {children !== undefined && children.length > 0 && <ul className={styles.list}>{children}</ul>}
      <p className={styles.more}>{more}</p>
    </Card>
  );
}
