import { Link } from '@tanstack/react-router';
import { useOrganization } from '../../api/parley.js';
import { failureOf } from '../../api/failure.js';
import { Button } from '../../parts/button.js';
import type { Chosen } from './chosen-agent.js';
import styles from './playground.module.css';

/** Why there is nobody to talk to; nothing if there is. */
export function NoAgentNotice({ chosen }: { readonly chosen: Chosen }) {
  const { id: organizationId } = useOrganization();
  switch (chosen.state) {
    case 'ready':
    case 'reading':
      return null;
    case 'off':
      return (
        <div className={styles.notice} data-tone="warn" role="status">
          <div>
            <strong>This agent takes no realtime sessions</strong>
            <p>
              Enable them for{' '}
              <Link
                to="/$organizationId/agents/$agentId"
                params={{ organizationId, agentId: chosen.agent.id }}
              >
                <bdi>{chosen.agent.name}</bdi>
              </Link>
              , or choose another agent.
            </p>
          </div>
        </div>
      );
    case 'gone':
      return (
        <div className={styles.notice} data-tone="warn" role="status">
          <div>
            <strong>This agent no longer exists</strong>
            <p>Choose another agent.</p>
          </div>
        </div>
      );
    case 'failed': {
      const { title, advice } = failureOf(chosen.error);
      return (
        <div className={styles.notice} data-tone="danger" role="alert">
          <div>
            <strong>{title}</strong>
            <p>{advice}</p>
          </div>
          <Button small onClick={chosen.retry}>
            Try again
          </Button>
        </div>
      );
    }
  }
}
