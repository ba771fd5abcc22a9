import type { Task } from '@parley/client/server';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useOrganization, useParley } from '../../api/parley.js';
import { tell, tellFailure } from '../../parts/toasts.js';
import { statusWords, type TaskStatus } from './task-words.js';

type Move = { readonly task: Pick<Task, 'id' | 'status'>; readonly to: TaskStatus };

/** Changes the status of a task, and offers to undo it. */
export function useMoveTask() {
  const { id } = useOrganization();
  const parley = useParley();
  const client = useQueryClient();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ task, to }: Move) => parley.tasks.update(task.id, { status: to }),
    onSuccess: (_, { task, to }) => {
      tell({
        title: `Moved to ${statusWords[to].word.toLowerCase()}`,
        undo: () => mutate({ task: { id: task.id, status: to }, to: task.status }),
      });
      return client.invalidateQueries({ queryKey: [id, 'tasks'] });
    },
    onError: tellFailure,
  });
  const move = (task: Move['task'], to: TaskStatus) => {
    if (task.status !== to) mutate({ task, to });
  };
  return { move, moving: isPending ? variables.task.id : undefined };
}
