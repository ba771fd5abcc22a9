import { Lock, Plus, Trash2 } from 'lucide-react';
import { Button, IconButton } from '../../parts/button.js';
import { TextField } from '../../parts/fields.js';
import { holdsSecret, moveToSecret } from './header-secret.js';
import { TemplateField } from './template-field.js';
import type { ToolFieldsProps } from './tool-fields.js';
import type { Pair } from './tool-form.js';
import styles from './tool-fields.module.css';

type HeaderFieldsProps = ToolFieldsProps & {
  /** Placeholders that a value may use. */
  readonly references: readonly string[];
};

export function HeaderFields(props: HeaderFieldsProps) {
  const { form, errors, readOnly, secretNames, references, onChange, onSecret } = props;
  const rows = form.headers;
  const set = (at: number, changes: Partial<Pair>) =>
    onChange({ headers: rows.map((row, other) => (other === at ? { ...row, ...changes } : row)) });
  const move = (at: number, { name, value }: Pair) => {
    const moved = moveToSecret(name, value, secretNames);
    set(at, { value: moved.value });
    onSecret(moved.secretName, moved.secret);
  };
  return (
    <div className={styles.group} role="group" aria-label="Headers">
      <div className={styles.groupHead}>
        <h3>Headers</h3>
        <Button
          small
          disabled={readOnly}
          onClick={() => onChange({ headers: [...rows, { name: '', value: '' }] })}
        >
          <Plus size={14} aria-hidden="true" /> Add a header
        </Button>
      </div>
      {rows.length === 0 && (
        <p className={styles.help}>
          Send keys and tokens as secrets: <code>{'Bearer {{secret:NAME}}'}</code>.
        </p>
      )}
      {rows.map((row, at) => (
        <div key={at} className={styles.row}>
          <TextField
            label="Header"
            mono
            value={row.name}
            autoComplete="off"
            placeholder="Authorization"
            onChange={(name) => set(at, { name })}
          />
          <TemplateField
            label="Value"
            names={references}
            value={row.value}
            error={errors.get(`/headers/${row.name}`)}
            onChange={(value) => set(at, { value })}
          />
          <IconButton
            label={`Remove ${row.name === '' ? 'the header' : row.name}`}
            icon={<Trash2 size={14} />}
            disabled={readOnly}
            onClick={() => onChange({ headers: rows.filter((_, other) => other !== at) })}
          />
          {holdsSecret(row.name, row.value) && (
            <div className={`${styles.wide} ${styles.groupHead}`} role="status">
              <span className={styles.help}>
                Everyone who can read the agent can read this value.
              </span>
              <Button small disabled={readOnly} onClick={() => move(at, row)}>
                <Lock size={14} aria-hidden="true" /> Make it a secret
              </Button>
            </div>
          )}
        </div>
      ))}
    </div>
  );
}
