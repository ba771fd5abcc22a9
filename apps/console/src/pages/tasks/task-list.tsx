import type { Task } from '@parley/client/server';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { newestFirst } from '../../api/newest-first.js';
import { useOrganization, useParley } from '../../api/parley.js';
import { AgentName } from '../../parts/agent-name.js';
import { Badge } from '../../parts/badge.js';
import { DataTable, type Column } from '../../parts/data-table.js';
import { EmptyState } from '../../parts/page.js';
import { Time } from '../../parts/time.js';
import { offsetOf } from '../../search.js';
import { DueTime } from './due-time.js';
import { statusWords, taskStatuses } from './task-words.js';
import styles from './tasks.module.css';

const limit = 50;
const from = '/$organizationId/tasks';

export function TaskList() {
  const search = useSearch({ from });
  const navigate = useNavigate({ from });
  const { id } = useOrganization();
  const parley = useParley();
  const offset = offsetOf(search.offset);
  const status = taskStatuses.find((each) => each === search.state);
  const filter = { status, agentId: search.agent };
  const { data, error, refetch } = useQuery({
    queryKey: [id, 'tasks', 'list', filter, offset],
    queryFn: () =>
      newestFirst((place) => parley.tasks.list({ ...filter, ...place }), { offset, limit }),
    placeholderData: keepPreviousData,
  });
  return (
    <DataTable
      label="Tasks"
      columns={columns(id)}
      rows={data?.items}
      rowKey={(row) => row.id}
      leads
      error={error}
      onRetry={() => void refetch()}
      empty={
        <EmptyState title="No tasks">
          Agents create tasks with their tools, your systems over the API, and you on this page.
        </EmptyState>
      }
      paging={
        data && {
          total: data.total,
          offset,
          limit,
          onMove: (to) => void navigate({ search: (now) => ({ ...now, offset: String(to) }) }),
        }
      }
    />
  );
}

const columns = (organizationId: string): Column<Task>[] => [
  {
    name: 'Title',
    cell: ({ id, title }) => (
      <Link
        className={styles.line}
        to="/$organizationId/tasks"
        params={{ organizationId }}
        search={(now) => ({ ...now, id })}
      >
        <bdi>{title}</bdi>
      </Link>
    ),
  },
  {
    name: 'Status',
    cell: ({ status }) => <Badge tone={statusWords[status].tone}>{statusWords[status].word}</Badge>,
  },
  { name: 'Due', cell: (task) => <DueTime task={task} /> },
  {
    name: 'Agent',
    minor: true,
    cell: ({ agentId }) => (agentId === null ? '–' : <AgentName id={agentId} />),
  },
  { name: 'Changed', minor: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];
