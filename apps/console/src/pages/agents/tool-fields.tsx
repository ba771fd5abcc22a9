import { SelectField, SwitchField, TextAreaField, TextField } from '../../parts/fields.js';
import { useAgentNames } from './agents-query.js';
import type { FieldErrors } from './field-errors.js';
import { own } from './json.js';
import { HttpFields } from './http-fields.js';
import { McpFields } from './mcp-fields.js';
import type { ToolForm } from './tool-form.js';
import { builtinTools } from './tool-summary.js';
import sections from './sections.module.css';
import styles from './tool-fields.module.css';

export type ToolFieldsProps = {
  readonly form: ToolForm;
  readonly errors: FieldErrors;
  readonly secretNames: readonly string[];
  /** The agent that has the tool, which cannot be its own sub-agent. */
  readonly agentId: string;
  readonly readOnly: boolean;
  readonly onChange: (changes: Partial<ToolForm>) => void;
  readonly onSecret: (name: string, secret: string) => void;
};

/** The form of a tool of any type. */
export function ToolFields(props: ToolFieldsProps) {
  const { form } = props;
  return (
    <>
      <Naming {...props} />
      {form.kind === 'http' && <HttpFields {...props} />}
      {form.kind === 'mcp' && <McpFields {...props} />}
      {form.kind === 'subagent' && <SubagentFields {...props} />}
      <ApprovalFields {...props} />
      <ShowingFields {...props} />
    </>
  );
}

function Naming({ form, errors, onChange }: ToolFieldsProps) {
  return (
    <>
      {form.kind === 'builtin' ? (
        <SelectField
          label="Built-in tool"
          help={builtinHelp(form.name)}
          value={form.name}
          options={builtinOptions(form.name)}
          error={errors.get('/name')}
          onChange={(name) => onChange({ name })}
        />
      ) : (
        <TextField
          label="Name"
          help="The name the model uses: letters, digits, _ and -."
          mono
          value={form.name}
          maxLength={64}
          autoComplete="off"
          error={errors.get('/name')}
          onChange={(name) => onChange({ name })}
        />
      )}
      <TextAreaField
        label="Description"
        help={
          form.kind === 'http'
            ? 'The model reads it to decide when to use the tool.'
            : 'The model reads it. Leave it empty to use the tool’s own.'
        }
        rows={2}
        value={form.description}
        error={errors.get('/description')}
        onChange={(description) => onChange({ description })}
      />
    </>
  );
}

function builtinHelp(name: string): string {
  return own(builtinTools, name) ?? 'Choose one.';
}

function builtinOptions(chosen: string) {
  const names = Object.keys(builtinTools);
  const all = names.includes(chosen) ? names : [chosen, ...names];
  return all.map((name) => ({ value: name, label: name === '' ? 'Choose a tool' : name }));
}

function SubagentFields({ form, errors, agentId, onChange }: ToolFieldsProps) {
  const names = useAgentNames();
  const others = [...names].filter(([id]) => id !== agentId);
  const unlisted =
    form.agentId !== '' && !names.has(form.agentId)
      ? [{ value: form.agentId, label: form.agentId }]
      : [];
  return (
    <SelectField
      label="Agent"
      help="It is asked in text, and answers with its own instructions, model and tools."
      value={form.agentId}
      options={[
        {
          value: '',
          label: others.length === 0 ? 'There is no other agent yet' : 'Choose an agent',
        },
        ...unlisted,
        ...others.map(([id, name]) => ({ value: id, label: name })),
      ]}
      error={errors.get('/agentId')}
      onChange={(id) => onChange({ agentId: id })}
    />
  );
}

const approverOptions = [
  { value: 'both', label: 'The caller’s client or your team' },
  { value: 'client', label: 'The caller’s client only' },
  { value: 'api', label: 'Your team only' },
] as const;

function ApprovalFields({ form, errors, readOnly, onChange }: ToolFieldsProps) {
  const asked = form.approvalRequired || form.policyDefault !== 'never' || form.policies.length > 0;
  return (
    <div className={styles.group}>
      <h3>Approval</h3>
      <SwitchField
        label="A person approves each call"
        help={
          form.kind === 'mcp'
            ? 'For all tools of the server, unless the policy above says otherwise.'
            : 'The call waits for a decision and runs with exactly the arguments that were approved. The deployment sets how long it waits: 5 minutes by default.'
        }
        value={form.approvalRequired}
        disabled={readOnly}
        onChange={(approvalRequired) => onChange({ approvalRequired })}
      />
      {(form.kind === 'mcp' ? asked : form.approvalRequired || form.approvers !== 'both') && (
        <SelectField
          label="Who decides"
          help={
            form.approvers === 'client'
              ? 'Questions have no client, so they cannot use the tool.'
              : 'Your team decides under Approvals, over REST, or from a webhook.'
          }
          value={form.approvers}
          options={approverOptions}
          error={errors.get('/approvers')}
          onChange={(approvers) => onChange({ approvers })}
        />
      )}
    </div>
  );
}

/** Settings that are rarely needed. */
function ShowingFields({ form, errors, onChange }: ToolFieldsProps) {
  const wrong = ['/timeoutSeconds', '/imageUrl', '/button/label', '/button/link', '/title'].some(
    (path) => errors.has(path),
  );
  return (
    <details className={styles.more} open={wrong || undefined}>
      <summary>Timeout and display</summary>
      <div className={sections.columns}>
        <TextField
          label="Title"
          help="What clients and approval cards show, such as “Looking up your order”."
          value={form.title}
          maxLength={200}
          error={errors.get('/title')}
          onChange={(title) => onChange({ title })}
        />
        <TextField
          label="Timeout, in seconds"
          help="30 by default, at most 600."
          type="number"
          value={form.timeoutSeconds}
          placeholder="30"
          error={errors.get('/timeoutSeconds')}
          onChange={(timeoutSeconds) => onChange({ timeoutSeconds })}
        />
        <TextField
          label="Image URL"
          type="url"
          value={form.imageUrl}
          error={errors.get('/imageUrl')}
          onChange={(imageUrl) => onChange({ imageUrl })}
        />
        <TextField
          label="Button"
          help="Shown with the result."
          value={form.buttonLabel}
          maxLength={100}
          error={errors.get('/button/label')}
          onChange={(buttonLabel) => onChange({ buttonLabel })}
        />
        <TextField
          label="Button link"
          type="url"
          value={form.buttonLink}
          error={errors.get('/button/link')}
          onChange={(buttonLink) => onChange({ buttonLink })}
        />
      </div>
    </details>
  );
}
