import type { Task } from '@parley/client/server';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MoreHorizontal } from 'lucide-react';
import { useState, type DragEvent } from 'react';
import { newestFirst } from '../../api/newest-first.js';
import { useMay, useOrganization, useParley } from '../../api/parley.js';
import { AgentName } from '../../parts/agent-name.js';
import { IconButton } from '../../parts/button.js';
import { FailureState } from '../../parts/failure-note.js';
import { Menu, MenuItem } from '../../parts/menu.js';
import { Skeleton } from '../../parts/page.js';
import { countText } from '../../parts/words.js';
import { DueTime } from './due-time.js';
import { statusWords, taskStatuses, type TaskStatus } from './task-words.js';
import { useMoveTask } from './use-move-task.js';
import styles from './tasks.module.css';

const limit = 50;
const kind = 'application/x-parley-task';

type Moving = ReturnType<typeof useMoveTask>;

/** A column per status. Tasks are moved by dragging, or with their menu. */
export function TaskBoard({ agentId }: { readonly agentId: string | undefined }) {
  const moving = useMoveTask();
  return (
    <div className={styles.board}>
      {taskStatuses.map((status) => (
        <Column key={status} status={status} agentId={agentId} moving={moving} />
      ))}
    </div>
  );
}

type ColumnProps = {
  readonly status: TaskStatus;
  readonly agentId: string | undefined;
  readonly moving: Moving;
};

function Column({ status, agentId, moving }: ColumnProps) {
  const { id } = useOrganization();
  const parley = useParley();
  const [over, setOver] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: [id, 'tasks', 'column', status, agentId],
    queryFn: () =>
      newestFirst((place) => parley.tasks.list({ status, agentId, ...place }), {
        offset: 0,
        limit,
      }),
  });
  const drop = (event: DragEvent) => {
    setOver(false);
    const task = draggedTask(event.dataTransfer.getData(kind));
    if (task === undefined) return;
    event.preventDefault();
    moving.move(task, status);
  };
  return (
    <section
      className={styles.column}
      aria-label={statusWords[status].word}
      data-over={over}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(kind)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <h2>
        {statusWords[status].word} <span>{data && countText(data.total)}</span>
      </h2>
      {data === undefined && error !== null && (
        <FailureState error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Skeleton height={64} />}
      {data?.total === 0 && <p className={styles.quiet}>None</p>}
      <ul>
        {data?.items.map((task) => (
          <li key={task.id}>
            <TaskCard task={task} moving={moving} />
          </li>
        ))}
      </ul>
      {data && data.total > data.items.length && <More status={status} />}
    </section>
  );
}

/** Dropped data may come from anywhere. */
function draggedTask(text: string): Pick<Task, 'id' | 'status'> | undefined {
  const [id = '', from] = text.split(' ');
  const status = taskStatuses.find((each) => each === from);
  return status === undefined ? undefined : { id, status };
}

function TaskCard({ task, moving }: { readonly task: Task; readonly moving: Moving }) {
  const { id: organizationId } = useOrganization();
  const mayEdit = useMay('editor');
  return (
    <article
      className={styles.card}
      draggable={mayEdit}
      aria-busy={moving.moving === task.id}
      onDragStart={(event) => event.dataTransfer.setData(kind, `${task.id} ${task.status}`)}
    >
      <Link
        className={styles.title}
        to="/$organizationId/tasks"
        params={{ organizationId }}
        search={(now) => ({ ...now, id: task.id })}
        draggable={false}
      >
        <bdi>{task.title}</bdi>
      </Link>
      {mayEdit && (
        <Menu
          trigger={
            <IconButton
              small
              label={`Move “${task.title.slice(0, 60)}”`}
              icon={<MoreHorizontal size={16} />}
            />
          }
        >
          {taskStatuses
            .filter((status) => status !== task.status)
            .map((status) => (
              <MenuItem key={status} onSelect={() => moving.move(task, status)}>
                Move to {statusWords[status].word.toLowerCase()}
              </MenuItem>
            ))}
        </Menu>
      )}
      <div className={styles.quiet}>
        {task.agentId !== null && <AgentName id={task.agentId} />}
        {task.dueAt !== null && <DueTime task={task} />}
      </div>
    </article>
  );
}

function More({ status }: { readonly status: TaskStatus }) {
  const { id: organizationId } = useOrganization();
  return (
    <Link
      className={styles.more}
      to="/$organizationId/tasks"
      params={{ organizationId }}
      search={(now) => ({ ...now, view: 'list', state: status })}
    >
      See all in the list
    </Link>
  );
}
