import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Circle, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { useMay, useOrganization, useParley } from '../../api/parley.js';
import { Button, buttonClass } from '../../parts/button.js';
import { Card } from '../../parts/page.js';
import { stepsOf, type Seen } from './checklist.js';
import styles from './overview.module.css';

/**
 * A checklist that completes itself. It disappears when everything is done, or when the user
 * dismisses it in this browser.
 */
export function FirstSteps({ seen }: { readonly seen: Seen }) {
  const { id } = useOrganization();
  const [dismissed, setDismissed] = useState(() => wasDismissed(id));
  const steps = stepsOf(seen);
  if (dismissed || steps.every(({ done }) => done)) return null;
  return (
    <Card
      title="First steps"
      actions={
        <Button
          small
          look="ghost"
          onClick={() => {
            dismiss(id);
            setDismissed(true);
          }}
        >
          Dismiss
        </Button>
      }
    >
      <ol className={styles.steps}>
        {steps.map(({ title, text, action, to, done }) => (
          <li key={title} className={styles.step}>
            <span className={done ? styles.ticked : styles.open}>
              {done ? (
                <CircleCheck size={20} aria-label="Done" />
              ) : (
                <Circle size={20} aria-label="To do" />
              )}
            </span>
            <div>
              <strong className={done ? styles.doneTitle : undefined}>{title}</strong>
              <p>{text}</p>
            </div>
            {!done && (
              <Link
                to={to}
                params={{ organizationId: id }}
                className={buttonClass('secondary', true)}
              >
                {action}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** What the organization has done so far; undefined while loading, or if unknown. */
export function useSeen(): { readonly pending: boolean; readonly seen: Seen | undefined } {
  const { id } = useOrganization();
  const parley = useParley();
  const owner = useMay('owner');
  const conversations = useQuery({
    queryKey: [id, 'conversations', 'count'],
    queryFn: async () => (await parley.conversations.list({ limit: 1 })).total,
  });
  const agents = useQuery({
    queryKey: [id, 'agents', 'count'],
    queryFn: async () => (await parley.agents.list({ limit: 1 })).total,
  });
  const keys = useQuery({
    queryKey: [id, 'keys', 'count'],
    queryFn: async () => (await parley.apiKeys.list({ limit: 1 })).total,
    enabled: owner,
  });
  const pending = conversations.isPending || agents.isPending || (owner && keys.isPending);
  const known = conversations.data !== undefined && agents.data !== undefined;
  const seen = known
    ? { conversations: conversations.data, agents: agents.data, keys: keys.data }
    : undefined;
  return { pending, seen };
}

const nameOf = (organizationId: string) => `parley-first-steps-${organizationId}`;

function wasDismissed(organizationId: string): boolean {
  try {
    return localStorage.getItem(nameOf(organizationId)) !== null;
  } catch {
    return false;
  }
}

function dismiss(organizationId: string): void {
  try {
    localStorage.setItem(nameOf(organizationId), 'dismissed');
  } catch {
    // Without storage, it lasts as long as the page.
  }
}
