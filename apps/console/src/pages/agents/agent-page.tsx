import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useOrganization, useParley } from '../../api/parley.js';
import { FailureState } from '../../parts/failure-note.js';
import { Card, Page, Skeleton } from '../../parts/page.js';
import { AgentEditor } from './agent-editor.js';
import { agentQuery } from './agents-query.js';

export function AgentPage() {
  const parley = useParley();
  const { id } = useOrganization();
  const { agentId = '' } = useParams({ strict: false });
  const { data, error, refetch } = useQuery(agentQuery(parley, id, agentId));
  if (data) return <AgentEditor key={agentId} state={data} />;
  return (
    <Page title="Agent">
      {error ? (
        <FailureState error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <Skeleton width={360} height={36} />
          <Card>
            <Skeleton width="40%" height={34} />
            <Skeleton height={360} />
          </Card>
        </>
      )}
    </Page>
  );
}
