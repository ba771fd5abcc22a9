import { Switch } from '@base-ui/react/switch';
import { useId, type ReactNode } from 'react';
import styles from './fields.module.css';

type FieldProps = {
  readonly label: ReactNode;
  /** One line of help. */
  readonly help?: ReactNode;
  /** The error, as a sentence. */
  readonly error?: string | undefined;
};

type Wiring = {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string | undefined;
};

/** Label above, help and error below, all associated with the control for screen readers. */
export function Field({
  id: given,
  label,
  help,
  error,
  children,
}: FieldProps & {
  readonly id?: string | undefined;
  readonly children: (wiring: Wiring) => ReactNode;
}) {
  const own = useId();
  const id = given ?? own;
  const described = [help !== undefined && `${id}-help`, error !== undefined && `${id}-error`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        'aria-invalid': error !== undefined,
        'aria-describedby': described === '' ? undefined : described,
      })}
      {help !== undefined && (
        <span className={styles.help} id={`${id}-help`}>
          {help}
        </span>
      )}
      {error !== undefined && (
        <span className={styles.error} id={`${id}-error`}>
          {error}
        </span>
      )}
    </div>
  );
}

type ValueProps<T> = FieldProps & {
  readonly id?: string;
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly disabled?: boolean;
};

type TextFieldProps = ValueProps<string> & {
  readonly type?:
    | 'text'
    | 'email'
    | 'password'
    | 'url'
    | 'number'
    | 'search'
    | 'datetime-local'
    | 'date';
  readonly placeholder?: string;
  readonly autoComplete?: string;
  readonly autoFocus?: boolean;
  readonly mono?: boolean;
  readonly maxLength?: number;
  readonly list?: string;
};

export function TextField(props: TextFieldProps) {
  const { label, help, error, value, onChange, mono, id, ...input } = props;
  return (
    <Field id={id} label={label} help={help} error={error}>
      {(wiring) => (
        <input
          {...input}
          {...wiring}
          className={`${styles.input} ${mono === true ? styles.mono : ''}`}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

type TextAreaFieldProps = ValueProps<string> & {
  readonly rows?: number;
  readonly placeholder?: string;
  readonly mono?: boolean;
};

export function TextAreaField(props: TextAreaFieldProps) {
  const { label, help, error, value, onChange, mono, id, ...area } = props;
  return (
    <Field id={id} label={label} help={help} error={error}>
      {(wiring) => (
        <textarea
          rows={4}
          spellCheck={mono !== true}
          {...area}
          {...wiring}
          className={`${styles.input} ${mono === true ? styles.mono : ''}`}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

export type Option<T extends string> = { readonly value: T; readonly label: string };

export function SelectField<T extends string>({
  options,
  ...props
}: ValueProps<T> & { readonly options: readonly Option<T>[] }) {
  const { label, help, error, value, onChange, id, disabled } = props;
  return (
    <Field id={id} label={label} help={help} error={error}>
      {(wiring) => (
        <select
          {...wiring}
          className={styles.input}
          disabled={disabled}
          value={value}
          onChange={(event) => onChange(event.target.value as T)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function SwitchField(props: ValueProps<boolean>) {
  const id = useId();
  const { label, help, value, onChange, disabled } = props;
  return (
    <div className={styles.switch}>
      <Switch.Root
        id={id}
        className={styles.track}
        checked={value}
        disabled={disabled === true}
        aria-labelledby={`${id}-label`}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
        onCheckedChange={(checked) => onChange(checked)}
      >
        <Switch.Thumb className={styles.thumb} />
      </Switch.Root>
      <div>
        <label className={styles.label} id={`${id}-label`} htmlFor={id}>
          {label}
        </label>
        {help !== undefined && (
          <div className={styles.help} id={`${id}-help`}>
            {help}
          </div>
        )}
      </div>
    </div>
  );
}

export function CheckField(props: ValueProps<boolean>) {
  const id = useId();
  const { label, help, value, onChange, disabled } = props;
  return (
    <div className={styles.check}>
      <input
        type="checkbox"
        id={id}
        checked={value}
        disabled={disabled}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {help !== undefined && (
          <div className={styles.help} id={`${id}-help`}>
            {help}
          </div>
        )}
      </div>
    </div>
  );
}
