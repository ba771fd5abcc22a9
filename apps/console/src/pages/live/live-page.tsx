import type { LiveRealtimeSession } from '@parley/client/server';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useOrganization, useParley } from '../../api/parley.js';
import { AgentFilter } from '../../parts/agent-filter.js';
import { AgentName } from '../../parts/agent-name.js';
import { buttonClass } from '../../parts/button.js';
import { ShortId } from '../../parts/copy.js';
import { DataTable, type Column } from '../../parts/data-table.js';
import { Filters } from '../../parts/filters.js';
import { EmptyState, Page } from '../../parts/page.js';
import { useNow } from '../../parts/time.js';
import { clockText, countOf } from '../../parts/words.js';
import { offsetOf } from '../../search.js';
import { EndSession } from './end-session.js';
import { FollowedSession } from './followed-session.js';
import styles from './live.module.css';

const limit = 50;
const from = '/$organizationId/live';

/** The open calls on every instance. */
export function LivePage() {
  const search = useSearch({ from });
  const navigate = useNavigate({ from });
  const { id } = useOrganization();
  const parley = useParley();
  const offset = offsetOf(search.offset);
  const { data, error, refetch } = useQuery({
    queryKey: [id, 'sessions', 'live', search.agent, offset],
    queryFn: async () => parley.realtimeSessions.list({ agentId: search.agent, offset, limit }),
    refetchInterval: 15_000,
    placeholderData: keepPreviousData,
  });
  return (
    <Page title="Live" lead="Calls that are open now, on every instance of the service.">
      <Filters>
        <AgentFilter
          value={search.agent ?? ''}
          onChange={(agent) => void navigate({ search: { agent }, replace: true })}
        />
        <span className={styles.count} role="status">
          {data && countOf(data.total, 'call')}
        </span>
      </Filters>
      <DataTable
        label="Live calls"
        columns={columns(id)}
        rows={data?.items}
        rowKey={(row) => row.id}
        leads
        error={error}
        onRetry={() => void refetch()}
        empty={<Nothing />}
        paging={
          data && {
            total: data.total,
            offset,
            limit,
            onMove: (to) => void navigate({ search: (now) => ({ ...now, offset: String(to) }) }),
          }
        }
      />
      {search.session !== undefined && (
        <FollowedSession
          key={search.session}
          sessionId={search.session}
          live={data?.items.find((row) => row.id === search.session)}
          onClose={() => void navigate({ search: (now) => ({ ...now, session: '' }) })}
        />
      )}
    </Page>
  );
}

const columns = (organizationId: string): Column<LiveRealtimeSession>[] => [
  {
    name: 'Agent',
    cell: ({ id, agentId }) => (
      <Link
        to="/$organizationId/live"
        params={{ organizationId }}
        search={(now) => ({ ...now, session: id })}
      >
        <AgentName id={agentId} />
      </Link>
    ),
  },
  { name: 'For', number: true, cell: ({ startedAt }) => <Duration since={startedAt} /> },
  { name: 'Call', minor: true, cell: ({ id }) => <ShortId id={id} what="call’s id" /> },
  {
    name: 'Conversation',
    minor: true,
    cell: ({ conversationId }) => (
      <Link
        to="/$organizationId/conversations/$conversationId"
        params={{ organizationId, conversationId }}
      >
        Follow
      </Link>
    ),
  },
  { name: 'End', quiet: true, number: true, cell: (session) => <EndSession session={session} /> },
];

/** The duration so far. */
export function Duration({ since }: { readonly since: string }) {
  const now = useNow(1_000);
  return <time dateTime={since}>{clockText(Math.floor((now - Date.parse(since)) / 1_000))}</time>;
}

function Nothing() {
  const { id } = useOrganization();
  return (
    <EmptyState
      title="No live calls"
      action={
        <Link
          className={buttonClass('primary')}
          to="/$organizationId/playground"
          params={{ organizationId: id }}
        >
          Open the playground
        </Link>
      }
    >
      Calls appear here as soon as somebody talks to an agent.
    </EmptyState>
  );
}
