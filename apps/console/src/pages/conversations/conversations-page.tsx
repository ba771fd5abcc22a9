import type { Conversation } from '@parley/client/server';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { newestFirst } from '../../api/newest-first.js';
import { useOrganization, useParley } from '../../api/parley.js';
import { AgentName } from '../../parts/agent-name.js';
import { AgentFilter } from '../../parts/agent-filter.js';
import { Badge } from '../../parts/badge.js';
import { buttonClass } from '../../parts/button.js';
import { ShortId } from '../../parts/copy.js';
import { DataTable, type Column } from '../../parts/data-table.js';
import { ChoiceFilter, DayFilter, Filters, SearchFilter } from '../../parts/filters.js';
import { EmptyState, Page } from '../../parts/page.js';
import { Time } from '../../parts/time.js';
import { countText } from '../../parts/words.js';
import { offsetOf } from '../../search.js';
import {
  filterOf,
  outcomeOf,
  outcomes,
  outcomeWords,
  type Outcome,
} from './conversation-filter.js';

const limit = 50;
const from = '/$organizationId/conversations';

export function ConversationsPage() {
  const search = useSearch({ from });
  const navigate = useNavigate({ from });
  const { id } = useOrganization();
  const parley = useParley();
  const offset = offsetOf(search.offset);
  const filter = filterOf(search);
  const { data, error, refetch } = useQuery({
    queryKey: [id, 'conversations', 'list', filter, offset],
    queryFn: () =>
      newestFirst((place) => parley.conversations.list({ ...filter, ...place }), { offset, limit }),
    placeholderData: keepPreviousData,
  });
  const narrow = (changes: Partial<typeof search>) =>
    void navigate({ search: (now) => ({ ...now, offset: '', ...changes }), replace: true });
  return (
    <Page title="Conversations" lead="What callers and agents said, and what their tools did.">
      <Filters>
        <SearchFilter
          label="Search messages"
          value={search.q ?? ''}
          onChange={(q) => narrow({ q })}
        />
        <AgentFilter value={search.agent ?? ''} onChange={(agent) => narrow({ agent })} />
        <ChoiceFilter
          label="Outcome"
          value={search.outcome ?? ''}
          options={[
            { value: '', label: 'All' },
            ...outcomes.map((value) => ({ value, label: outcomeWords[value].word })),
          ]}
          onChange={(outcome) => narrow({ outcome })}
        />
        <DayFilter
          label="From"
          value={search.from ?? ''}
          onChange={(day) => narrow({ from: day })}
        />
        <DayFilter label="To" value={search.to ?? ''} onChange={(day) => narrow({ to: day })} />
      </Filters>
      <DataTable
        label="Conversations"
        columns={columns(id)}
        rows={data?.items}
        rowKey={(row) => row.id}
        leads
        error={error}
        onRetry={() => void refetch()}
        empty={<Nothing filtered={Object.keys(search).length > 0} />}
        paging={
          data && {
            total: data.total,
            offset,
            limit,
            onMove: (to) => void navigate({ search: (now) => ({ ...now, offset: String(to) }) }),
          }
        }
      />
    </Page>
  );
}

const columns = (organizationId: string): Column<Conversation>[] => [
  {
    name: 'Agent',
    cell: ({ id, agentId }) => (
      <Link
        to="/$organizationId/conversations/$conversationId"
        params={{ organizationId, conversationId: id }}
      >
        <AgentName id={agentId} />
      </Link>
    ),
  },
  {
    name: 'Conversation',
    minor: true,
    cell: ({ id }) => <ShortId id={id} what="conversation’s id" />,
  },
  { name: 'Outcome', cell: (row) => <OutcomeBadge outcome={outcomeOf(row)} /> },
  { name: 'Messages', number: true, cell: ({ messageCount }) => countText(messageCount) },
  { name: 'Began', minor: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  { name: 'Last word', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];

function OutcomeBadge({ outcome }: { readonly outcome: Outcome | undefined }) {
  if (outcome === undefined) return '–';
  return <Badge tone={outcomeWords[outcome].tone}>{outcomeWords[outcome].word}</Badge>;
}

function Nothing({ filtered }: { readonly filtered: boolean }) {
  const { id } = useOrganization();
  if (filtered)
    return (
      <EmptyState
        title="No matching conversations"
        action={
          <Link
            className={buttonClass()}
            to="/$organizationId/conversations"
            params={{ organizationId: id }}
          >
            Remove the filters
          </Link>
        }
      >
        No conversation matches all filters.
      </EmptyState>
    );
  return (
    <EmptyState
      title="No conversations yet"
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
      Talk to an agent, and the conversation appears here.
    </EmptyState>
  );
}
