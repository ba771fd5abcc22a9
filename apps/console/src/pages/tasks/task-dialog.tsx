import { headersOf, type Task } from '@parley/client/server';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay, useOrganization, useParley } from '../../api/parley.js';
import { fieldErrorsOf } from '../../api/failure.js';
import { Button } from '../../parts/button.js';
import { ConfirmDialog, Dialog, DialogBody, FormDialog } from '../../parts/dialog.js';
import { FailureState } from '../../parts/failure-note.js';
import { Skeleton } from '../../parts/page.js';
import { tell } from '../../parts/toasts.js';
import { TaskFields } from './task-fields.js';
import { fieldsOf, formOf } from './task-words.js';
import styles from './tasks.module.css';

type Props = { readonly taskId: string | undefined; readonly onClose: () => void };

/** An existing task, or a new one. */
export function TaskDialog({ taskId, onClose }: Props) {
  const { id } = useOrganization();
  const parley = useParley();
  const { data, error, refetch } = useQuery({
    queryKey: [id, 'tasks', 'one', taskId],
    queryFn: async () => {
      const task = await parley.tasks.get(taskId ?? '');
      return { task, etag: headersOf(task).get('etag') ?? undefined };
    },
    enabled: taskId !== undefined,
    // The form starts from what it finds, so it must not find an old copy.
    gcTime: 0,
    // Does not refetch while the user edits; the ETag detects conflicts.
    refetchOnWindowFocus: false,
  });
  const [first, setFirst] = useState(data);
  if (first === undefined && data !== undefined) setFirst(data);
  if (taskId === undefined) return <TaskForm onClose={onClose} />;
  if (first !== undefined)
    return <TaskForm task={first.task} etag={first.etag} onClose={onClose} />;
  return (
    <Dialog title="Task" onClose={onClose} wide>
      <DialogBody>
        {error === null ? (
          <Skeleton height={200} />
        ) : (
          <FailureState error={error} onRetry={() => void refetch()} />
        )}
      </DialogBody>
    </Dialog>
  );
}

type FormProps = {
  readonly task?: Task;
  readonly etag?: string | undefined;
  readonly onClose: () => void;
};

function TaskForm({ task, etag, onClose }: FormProps) {
  const { id } = useOrganization();
  const parley = useParley();
  const client = useQueryClient();
  const mayEdit = useMay('editor');
  const [form, setForm] = useState(() => formOf(task));
  const [deleting, setDeleting] = useState(false);
  const save = useMutation({
    mutationFn: () => {
      const fields = fieldsOf(form, task);
      return task === undefined
        ? parley.tasks.create(fields)
        : parley.tasks.update(task.id, fields, { ifMatch: etag });
    },
    onSuccess: async () => {
      onClose();
      tell({ title: task === undefined ? 'Task created' : 'Task saved' });
      await client.invalidateQueries({ queryKey: [id, 'tasks'] });
    },
  });
  const fields = (
    <TaskFields
      form={form}
      task={task}
      errors={fieldErrorsOf(save.error)}
      disabled={!mayEdit}
      onChange={(changes) => setForm((now) => ({ ...now, ...changes }))}
    />
  );
  if (deleting && task)
    return <DeleteTask task={task} onDone={onClose} onClose={() => setDeleting(false)} />;
  if (!mayEdit)
    return (
      <Dialog title="Task" wide onClose={onClose}>
        <DialogBody>{fields}</DialogBody>
      </Dialog>
    );
  return (
    <FormDialog
      title={task === undefined ? 'Create task' : 'Task'}
      action={task === undefined ? 'Create task' : 'Save task'}
      wide
      busy={save.isPending}
      error={save.error}
      disabled={form.title.trim() === ''}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {fields}
      {task && (
        <div className={styles.danger}>
          <Button look="quietDanger" small onClick={() => setDeleting(true)}>
            Delete this task
          </Button>
        </div>
      )}
    </FormDialog>
  );
}

type DeleteProps = {
  readonly task: Task;
  readonly onDone: () => void;
  readonly onClose: () => void;
};

/** Replaces the form, which keeps its values. */
function DeleteTask({ task, onDone, onClose }: DeleteProps) {
  const { id } = useOrganization();
  const parley = useParley();
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => parley.tasks.delete(task.id),
    onSuccess: async () => {
      onDone();
      tell({ title: 'Task deleted' });
      await client.invalidateQueries({ queryKey: [id, 'tasks'] });
    },
  });
  return (
    <ConfirmDialog
      title="Delete this task?"
      consequences={
        <p className={styles.line}>
          “<bdi>{task.title}</bdi>” is deleted with its description and metadata
          {task.externalId !== null && '; the system that it comes from may create it again'}. This
          cannot be undone.
        </p>
      }
      action="Delete task"
      busy={isPending}
      error={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
