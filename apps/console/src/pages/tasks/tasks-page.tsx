import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMay, useOrganization } from '../../api/parley.js';
import { AgentFilter } from '../../parts/agent-filter.js';
import { buttonClass } from '../../parts/button.js';
import { ChoiceFilter, Filters } from '../../parts/filters.js';
import { Page } from '../../parts/page.js';
import { TaskBoard } from './task-board.js';
import { TaskDialog } from './task-dialog.js';
import { TaskList } from './task-list.js';
import { statusWords, taskStatuses } from './task-words.js';

const from = '/$organizationId/tasks';

/** The tasks, as a board or as a list. */
export function TasksPage() {
  const search = useSearch({ from });
  const navigate = useNavigate({ from });
  const list = search.view === 'list';
  const narrow = (changes: Partial<typeof search>) =>
    void navigate({ search: (now) => ({ ...now, offset: '', ...changes }), replace: true });
  return (
    <Page
      title="Tasks"
      lead="Work that agents and your systems have requested."
      actions={<NewTask />}
      wide={!list}
    >
      <Filters>
        <ChoiceFilter
          label="View"
          value={list ? 'list' : 'board'}
          options={[
            { value: 'board', label: 'Board' },
            { value: 'list', label: 'List' },
          ]}
          onChange={(view) => narrow({ view: view === 'board' ? '' : view, state: '' })}
        />
        <AgentFilter value={search.agent ?? ''} onChange={(agent) => narrow({ agent })} />
        {list && (
          <ChoiceFilter
            label="Status"
            value={search.state ?? ''}
            options={[
              { value: '', label: 'All' },
              ...taskStatuses.map((value) => ({ value, label: statusWords[value].word })),
            ]}
            onChange={(state) => narrow({ state })}
          />
        )}
      </Filters>
      {list ? <TaskList /> : <TaskBoard agentId={search.agent} />}
      {search.id !== undefined && (
        <TaskDialog
          key={search.id}
          taskId={search.id === 'new' ? undefined : search.id}
          onClose={() => void navigate({ search: (now) => ({ ...now, id: '' }) })}
        />
      )}
    </Page>
  );
}

function NewTask() {
  const { id } = useOrganization();
  if (!useMay('editor')) return null;
  return (
    <Link
      className={buttonClass('primary')}
      to="/$organizationId/tasks"
      params={{ organizationId: id }}
      search={(now) => ({ ...now, id: 'new' })}
    >
      <Plus size={16} /> Create task
    </Link>
  );
}
