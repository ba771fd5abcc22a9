import type { Task } from '@parley/client/server';
import { Badge } from '../../parts/badge.js';
import { Time, useNow } from '../../parts/time.js';
import { isOverdue } from './task-words.js';
import styles from './tasks.module.css';

export function DueTime({ task }: { readonly task: Task }) {
  const overdue = isOverdue(task, useNow(60_000));
  return (
    <span className={styles.due}>
      <Time at={task.dueAt} />
      {overdue && <Badge tone="danger">Overdue</Badge>}
    </span>
  );
}
