import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../../parts/button.js';
import { SelectField, TextField } from '../../parts/fields.js';
import { HeaderFields } from './header-fields.js';
import type { ToolFieldsProps } from './tool-fields.js';
import { policyChoices } from './tool-form.js';
import styles from './tool-fields.module.css';
import mcp from './mcp-fields.module.css';

const policyLabels = {
  '': 'Use the setting below',
  always: 'Always required',
  never: 'Never required',
} as const;
const defaultOptions = policyChoices.map((value) => ({ value, label: policyLabels[value] }));
const singleOptions = [
  { value: 'always', label: 'Always' },
  { value: 'never', label: 'Never' },
] as const;

/** An MCP server whose tools the agent may use. */
export function McpFields(props: ToolFieldsProps) {
  const { form, errors, secretNames, onChange } = props;
  return (
    <>
      <TextField
        label="Server URL"
        help="Its Streamable HTTP endpoint. Its tools are listed when a session or a question starts."
        type="url"
        mono
        placeholder="https://mcp.example.com/mcp"
        value={form.serverUrl}
        error={errors.get('/serverUrl')}
        onChange={(serverUrl) => onChange({ serverUrl })}
      />
      <HeaderFields {...props} references={secretNames.map((name) => `secret:${name}`)} />
      <AllowedTools {...props} />
      <Policies {...props} />
    </>
  );
}

function AllowedTools({ form, errors, readOnly, onChange }: ToolFieldsProps) {
  const [typed, setTyped] = useState('');
  const name = typed.trim();
  const add = () => {
    if (name === '' || form.allowedTools.includes(name)) return;
    onChange({ allowedTools: [...form.allowedTools, name] });
    setTyped('');
  };
  const wrong = [...errors].find(([path]) => path.startsWith('/allowedTools'))?.[1];
  return (
    <div className={styles.group} role="group" aria-label="Allowed tools">
      <h3>Allowed tools</h3>
      <p className={styles.help}>
        {form.allowedTools.length === 0
          ? 'The agent may use every tool of the server. Add names to allow only those.'
          : 'The agent may use these tools of the server, and no others.'}{' '}
      </p>
      {form.allowedTools.length > 0 && (
        <ul className={mcp.chips}>
          {form.allowedTools.map((allowed) => (
            <li key={allowed} className={mcp.chip}>
              <code>{allowed}</code>
              <IconButton
                small
                label={`Remove ${allowed}`}
                icon={<Trash2 size={14} />}
                disabled={readOnly}
                onClick={() =>
                  onChange({ allowedTools: form.allowedTools.filter((other) => other !== allowed) })
                }
              />
            </li>
          ))}
        </ul>
      )}
      <div
        className={mcp.add}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add();
        }}
      >
        <TextField
          label="Name of a tool"
          mono
          value={typed}
          maxLength={128}
          autoComplete="off"
          error={wrong}
          onChange={setTyped}
        />
        <Button disabled={name === ''} onClick={add}>
          Allow
        </Button>
      </div>
    </div>
  );
}

function Policies({ form, errors, readOnly, onChange }: ToolFieldsProps) {
  const rows = form.policies;
  const set = (at: number, changes: Partial<(typeof rows)[number]>) =>
    onChange({ policies: rows.map((row, other) => (other === at ? { ...row, ...changes } : row)) });
  return (
    <div className={styles.group} role="group" aria-label="Approval per tool">
      <SelectField
        label="Approval of the server’s tools"
        value={form.policyDefault}
        options={defaultOptions}
        error={[...errors].find(([path]) => path.startsWith('/approvalPolicy'))?.[1]}
        onChange={(policyDefault) => onChange({ policyDefault })}
      />
      {rows.map((row, at) => (
        <div key={at} className={styles.row}>
          <TextField label="Tool" mono value={row.name} onChange={(name) => set(at, { name })} />
          <SelectField
            label="Approval"
            value={row.value === 'never' ? 'never' : 'always'}
            options={singleOptions}
            onChange={(value) => set(at, { value })}
          />
          <IconButton
            label={`Remove ${row.name === '' ? 'the exception' : row.name}`}
            icon={<Trash2 size={14} />}
            disabled={readOnly}
            onClick={() => onChange({ policies: rows.filter((_, other) => other !== at) })}
          />
        </div>
      ))}
      <div>
        <Button
          small
          disabled={readOnly}
          onClick={() => onChange({ policies: [...rows, { name: '', value: 'always' }] })}
        >
          <Plus size={14} aria-hidden="true" /> Add an exception
        </Button>
      </div>
    </div>
  );
}
