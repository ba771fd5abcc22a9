import type { Task } from '@parley/client/server';
import { Link } from '@tanstack/react-router';
import { useAgents } from '../../api/agents.js';
import { useOrganization } from '../../api/parley.js';
import { ArgumentsList } from '../../parts/arguments-list.js';
import { SelectField, TextAreaField, TextField } from '../../parts/fields.js';
import { Time } from '../../parts/time.js';
import { statusWords, taskStatuses, type TaskForm } from './task-words.js';
import styles from './tasks.module.css';

type Props = {
  readonly form: TaskForm;
  readonly task: Task | undefined;
  readonly errors: ReadonlyMap<string, string>;
  readonly disabled: boolean;
  readonly onChange: (changes: Partial<TaskForm>) => void;
};

export function TaskFields({ form, task, errors, disabled, onChange }: Props) {
  return (
    <>
      <TextField
        label="Title"
        value={form.title}
        disabled={disabled}
        maxLength={500}
        error={errors.get('/title')}
        onChange={(title) => onChange({ title })}
      />
      <TextAreaField
        label="Description"
        rows={6}
        value={form.description}
        disabled={disabled}
        error={errors.get('/description')}
        onChange={(description) => onChange({ description })}
      />
      <div className={styles.pair}>
        <SelectField
          label="Status"
          value={form.status}
          disabled={disabled}
          options={taskStatuses.map((value) => ({ value, label: statusWords[value].word }))}
          onChange={(status) => onChange({ status })}
        />
        <TextField
          label="Due"
          type="datetime-local"
          value={form.due}
          disabled={disabled}
          error={errors.get('/dueAt')}
          onChange={(due) => onChange({ due })}
        />
        <AgentField form={form} disabled={disabled} errors={errors} onChange={onChange} />
        <TextField
          label="Id in another system"
          value={form.externalId}
          disabled={disabled}
          maxLength={255}
          error={errors.get('/externalId')}
          onChange={(externalId) => onChange({ externalId })}
        />
      </div>
      {task && <Record task={task} />}
    </>
  );
}

function AgentField({ form, disabled, errors, onChange }: Omit<Props, 'task'>) {
  const agents = useAgents() ?? [];
  const unknown = form.agentId !== '' && !agents.some(({ id }) => id === form.agentId);
  return (
    <SelectField
      label="Agent"
      value={form.agentId}
      disabled={disabled}
      error={errors.get('/agentId')}
      options={[
        { value: '', label: 'None' },
        ...agents.map(({ id, name }) => ({ value: id, label: name.slice(0, 60) })),
        ...(unknown ? [{ value: form.agentId, label: form.agentId.slice(0, 8) }] : []),
      ]}
      onChange={(agentId) => onChange({ agentId })}
    />
  );
}

/** Read-only details of the task. */
function Record({ task }: { readonly task: Task }) {
  const { id: organizationId } = useOrganization();
  const { conversationId } = task;
  return (
    <>
      {Object.keys(task.metadata).length > 0 && (
        <div className={styles.metadata}>
          <h3>Metadata</h3>
          <ArgumentsList value={task.metadata} />
        </div>
      )}
      <p className={styles.quiet}>
        Created <Time at={task.createdAt} />, changed <Time at={task.updatedAt} />
        {conversationId !== null && (
          <>
            {' · '}
            <Link
              to="/$organizationId/conversations/$conversationId"
              params={{ organizationId, conversationId }}
            >
              Read the conversation
            </Link>
          </>
        )}
      </p>
    </>
  );
}
