import type { Agent } from '@parley/client/server';
import { SelectField, SwitchField, TextField } from '../../parts/fields.js';
import type { FieldErrors } from './field-errors.js';
import { withValue, type Json } from './json.js';
import styles from './sections.module.css';

type TurnDetection = Agent['turnDetection'];

const kinds = [
  { value: 'semantic_vad', label: 'Semantic: when the sentence is finished' },
  { value: 'server_vad', label: 'Volume: after a pause' },
  { value: 'none', label: 'None: the client ends each turn' },
] as const;

const eagerness = [
  { value: '', label: 'The provider’s default' },
  { value: 'low', label: 'Low: gives the caller time to think' },
  { value: 'medium', label: 'Medium' },
  { value: 'high', label: 'High: answers immediately' },
  { value: 'auto', label: 'Auto' },
] as const;

/** The numbers of volume-based turn detection. Empty ones use the provider's defaults. */
const numbers = [
  { name: 'threshold', label: 'Threshold', help: 'Volume that counts as speech, from 0 to 1.' },
  {
    name: 'prefixPaddingMs',
    label: 'Prefix padding, in ms',
    help: 'Audio to include before the speech.',
  },
  {
    name: 'silenceDurationMs',
    label: 'Pause, in ms',
    help: 'Silence that ends the caller’s turn.',
  },
  {
    name: 'idleTimeoutMs',
    label: 'Idle timeout, in ms',
    help: 'The agent speaks up after this silence: 5,000 to 30,000 ms.',
  },
] as const;

const reactions = [
  {
    name: 'createResponse',
    label: 'Answers automatically',
    help: 'If off, the client requests each answer.',
  },
  {
    name: 'interruptResponse',
    label: 'Can be interrupted',
    help: 'If off, it keeps speaking while the caller talks.',
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
        help="How a session detects that the caller has finished. A session can override it."
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
