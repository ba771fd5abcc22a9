import type { Agent } from '@parley/client/server';
import { SelectField, SwitchField, TextField } from '../../parts/fields.js';
import type { FieldErrors } from './field-errors.js';
import { withValue, type Json } from './json.js';
import styles from './sections.module.css';

type TurnDetection = Agent['turnDetection'];

const kinds = [
  { value: 'semantic_vad', label: 'By meaning: when the sentence is finished' },
  { value: 'server_vad', label: 'By loudness: after a pause' },
  { value: 'none', label: 'None: the client says when' },
] as const;

const eagerness = [
  { value: '', label: 'The provider’s own' },
  { value: 'low', label: 'Low: lets the caller think' },
  { value: 'medium', label: 'Medium' },
  { value: 'high', label: 'High: answers at once' },
  { value: 'auto', label: 'Auto' },
] as const;

/** The numbers of turn detection by loudness. Empty ones are left to the provider. */
const numbers = [
  { name: 'threshold', label: 'Threshold', help: 'How loud counts as a voice, from 0 to 1.' },
  {
    name: 'prefixPaddingMs',
    label: 'Sound before, in ms',
    help: 'How much before the voice belongs to it.',
  },
  {
    name: 'silenceDurationMs',
    label: 'Pause, in ms',
    help: 'How long a silence ends what the caller says.',
  },
  {
    name: 'idleTimeoutMs',
    label: 'Speaks up after, in ms',
    help: 'From 5,000 to 30,000 ms of silence.',
  },
] as const;

const reactions = [
  {
    name: 'createResponse',
    label: 'Answers by itself',
    help: 'Off: the client asks for each answer.',
  },
  {
    name: 'interruptResponse',
    label: 'Lets itself be interrupted',
    help: 'Off: it speaks on while the caller talks.',
  },
] as const;

export function TurnDetectionFields({
  value,
  errors,
  readOnly,
  onChange,
}: {
  readonly value: TurnDetection;
  readonly errors: FieldErrors;
  readonly readOnly: boolean;
  readonly onChange: (value: TurnDetection) => void;
}) {
  const fields: Json = value;
  const change = (name: string, next: unknown) => onChange(withValue(value, name, next));
  return (
    <>
      <SelectField
        label="End of a turn"
        help="How a session finds that the caller has finished, unless it is created with its own."
        value={value.type}
        options={kinds}
        error={errors.get('/turnDetection') ?? errors.get('/turnDetection/type')}
        onChange={(type) => onChange({ type })}
      />
      {value.type === 'semantic_vad' && (
        <SelectField
          label="Eagerness"
          value={value.eagerness ?? ''}
          options={eagerness}
          error={errors.get('/turnDetection/eagerness')}
          onChange={(next) => change('eagerness', next === '' ? undefined : next)}
        />
      )}
      {value.type === 'server_vad' && (
        <div className={styles.columns}>
          {numbers.map(({ name, label, help }) => (
            <TextField
              key={name}
              label={label}
              help={help}
              type="number"
              value={numberText(fields[name])}
              placeholder="The provider’s own"
              error={errors.get(`/turnDetection/${name}`)}
              onChange={(text) => change(name, text === '' ? undefined : Number(text))}
            />
          ))}
        </div>
      )}
      {value.type !== 'none' &&
        reactions.map(({ name, label, help }) => (
          <SwitchField
            key={name}
            label={label}
            help={help}
            value={fields[name] !== false}
            disabled={readOnly}
            onChange={(on) => change(name, on ? undefined : false)}
          />
        ))}
    </>
  );
}

function numberText(value: unknown): string {
  return typeof value === 'number' ? String(value) : '';
}
