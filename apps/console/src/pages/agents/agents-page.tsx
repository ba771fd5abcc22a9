import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Agent } from '@parley/client/server';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useCallback } from 'react';
import { useMay, useOrganization, useParley } from '../../api/parley.js';
import { Badge } from '../../parts/badge.js';
import { buttonClass } from '../../parts/button.js';
import { ShortId } from '../../parts/copy.js';
import { DataTable, type Column } from '../../parts/data-table.js';
import { Filters, SearchFilter } from '../../parts/filters.js';
import { EmptyState, Page } from '../../parts/page.js';
import { Time } from '../../parts/time.js';
import { countText } from '../../parts/words.js';
import { offsetOf } from '../../search.js';
import styles from './agents-page.module.css';

const limit = 50;

export function AgentsPage() {
  const parley = useParley();
  const { id: organizationId } = useOrganization();
  const { q = '', offset: offsetText } = useSearch({ strict: false });
  const offset = offsetOf(offsetText);
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery({
    queryKey: [organizationId, 'agents', 'list', q, offset],
    queryFn: async () => {
      const search = q.trim();
      return parley.agents.list({ offset, limit, ...(search !== '' && { search }) });
    },
    placeholderData: keepPreviousData,
  });
  const show = useCallback(
    (search: { q?: string; offset?: string }) =>
      void navigate({ to: '/$organizationId/agents', params: { organizationId }, search }),
    [navigate, organizationId],
  );
  const search = useCallback((text: string) => show({ q: text }), [show]);
  return (
    <Page
      title="Agents"
      lead="Who your callers talk to: instructions, a voice, and tools."
      actions={<NewAgentLink />}
    >
      <Filters>
        <SearchFilter label="Search by name or description" value={q} onChange={search} />
      </Filters>
      <DataTable
        label="Agents"
        columns={columnsFor(organizationId)}
        rows={data?.items}
        rowKey={({ id }) => id}
        leads
        error={error}
        onRetry={() => void refetch()}
        empty={<Empty searched={q !== ''} onClear={() => show({})} />}
        paging={
          data && {
            total: data.total,
            offset,
            limit,
            onMove: (to) => show({ q, offset: String(to) }),
          }
        }
      />
    </Page>
  );
}

function Empty({
  searched,
  onClear,
}: {
  readonly searched: boolean;
  readonly onClear: () => void;
}) {
  if (searched)
    return (
      <EmptyState
        title="No matching agents"
        action={
          <button type="button" className={buttonClass()} onClick={onClear}>
            Show all agents
          </button>
        }
      >
        The search covers names and descriptions.
      </EmptyState>
    );
  return (
    <EmptyState title="No agents yet" action={<NewAgentLink />}>
      Create your first one: give it a name and instructions, then talk to it.
    </EmptyState>
  );
}

function NewAgentLink() {
  const { id: organizationId } = useOrganization();
  if (!useMay('editor')) return null;
  return (
    <Link
      to="/$organizationId/agents/new"
      params={{ organizationId }}
      className={buttonClass('primary')}
    >
      <Plus size={16} aria-hidden="true" /> New agent
    </Link>
  );
}

function columnsFor(organizationId: string): readonly Column<Agent>[] {
  return [
    {
      name: 'Name',
      cell: ({ id, name, description }) => (
        <div className={styles.name}>
          <Link
            to="/$organizationId/agents/$agentId"
            params={{ organizationId, agentId: id }}
            title={name}
          >
            <bdi>{name}</bdi>
          </Link>
          {description !== '' && <bdi className={styles.about}>{description}</bdi>}
        </div>
      ),
    },
    {
      name: 'Talks',
      minor: true,
      cell: ({ realtimeEnabled, outputModalities }) => (
        <Badge plain>{talksBy(realtimeEnabled, outputModalities)}</Badge>
      ),
    },
    {
      name: 'Model',
      minor: true,
      cell: ({ model }) => <span className={styles.model}>{model}</span>,
    },
    { name: 'Tools', number: true, cell: ({ tools }) => countText(tools.length) },
    { name: 'Changed', minor: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
    { name: 'Id', minor: true, cell: ({ id }) => <ShortId id={id} what="agent’s id" /> },
  ];
}

function talksBy(realtime: boolean, modalities: readonly string[]): string {
  if (!realtime) return 'Questions only';
  return modalities.includes('audio') ? 'By voice' : 'In text';
}
