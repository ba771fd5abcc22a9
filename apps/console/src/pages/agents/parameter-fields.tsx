import { Plus, Trash2 } from 'lucide-react';
import { Button, IconButton } from '../../parts/button.js';
import { CheckField, SelectField, TextField } from '../../parts/fields.js';
import { newParameter, parameterTypes, type ParameterRow } from './parameter-rows.js';
import type { ToolFieldsProps } from './tool-fields.js';
import styles from './tool-fields.module.css';

const typeLabels: Readonly<Record<ParameterRow['type'], string>> = {
  string: 'Text',
  integer: 'Whole number',
  number: 'Number',
  boolean: 'Yes or no',
  array: 'List',
  object: 'Object',
  other: 'See the JSON',
};
const typeOptions = parameterTypes.map((value) => ({ value, label: typeLabels[value] }));

/**
 * The arguments that the model provides. Anything else a schema contains is edited in the JSON and
 * kept.
 */
export function ParameterFields({ form, errors, readOnly, onChange }: ToolFieldsProps) {
  const rows = form.parameters;
  const inJson = Object.hasOwn(form.rest, 'parameters');
  const set = (at: number, changes: Partial<ParameterRow>) =>
    onChange({
      parameters: rows.map((row, other) => (other === at ? { ...row, ...changes } : row)),
    });
  const wrong = [...errors].filter(([path]) => path.startsWith('/parameters'));
  return (
    <div className={styles.group} role="group" aria-label="Arguments">
      <div className={styles.groupHead}>
        <h3>Arguments</h3>
        {!inJson && (
          <Button
            small
            disabled={readOnly}
            onClick={() => onChange({ parameters: [...rows, newParameter] })}
          >
            <Plus size={14} aria-hidden="true" /> Add an argument
          </Button>
        )}
      </div>
      {inJson && (
        <p className={styles.help}>
          This schema has more than fields can show. Edit it in the JSON.
        </p>
      )}
      {!inJson && rows.length === 0 && (
        <p className={styles.help}>
          Values that the model provides for each call, such as an order number.
        </p>
      )}
      {wrong.map(([path, message]) => (
        <p key={path} className={styles.error}>
          {path.slice('/parameters'.length)} {message}
        </p>
      ))}
      {rows.map((row, at) => (
        <div key={at} className={styles.parameter}>
          <TextField
            label="Argument"
            mono
            value={row.name}
            autoComplete="off"
            onChange={(name) => set(at, { name })}
          />
          <SelectField
            label="Type"
            value={row.type}
            options={typeOptions}
            onChange={(type) => set(at, { type })}
          />
          <div className={styles.required}>
            <CheckField
              label="Required"
              value={row.required}
              onChange={(required) => set(at, { required })}
            />
          </div>
          <IconButton
            label={`Remove ${row.name === '' ? 'the argument' : row.name}`}
            icon={<Trash2 size={14} />}
            disabled={readOnly}
            onClick={() => onChange({ parameters: rows.filter((_, other) => other !== at) })}
          />
          <div className={styles.wide}>
            <TextField
              label="Argument description"
              value={row.description}
              onChange={(description) => set(at, { description })}
            />
          </div>
        </div>
      ))}
    </div>
  );
}
