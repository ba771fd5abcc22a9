import { Search } from 'lucide-react';
import type { ChangeEvent, ReactNode } from 'react';
import type { Option } from './fields.js';
import { useDraft } from './use-draft.js';
import styles from './filters.module.css';

/** The filters above a list. Their values are in the page's address. */
export function Filters({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles.filters} role="search">
      {children}
    </div>
  );
}

/** Debounced, so that not every keystroke is a request. */
export function SearchFilter({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const { text, type } = useDraft({ value, onChange, isComplete: () => true });
  return (
    <div className={styles.search}>
      <Search size={14} aria-hidden="true" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => type(event.target.value)}
      />
    </div>
  );
}

export function ChoiceFilter<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: T;
  readonly options: readonly Option<T>[];
  readonly onChange: (value: T) => void;
}) {
  return (
    <label className={styles.chip}>
      {label}
      <select value={value} onChange={(event) => onChange(event.target.value as T)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}

/** While a year is typed, it has leading zeros. */
function isDay(text: string): boolean {
  return /^[1-9]\d{3}-/.test(text);
}

/** A day in the user's time zone: `2026-11-16`. */
export function DayFilter({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const { text, type, send, finish } = useDraft({ value, onChange, isComplete: isDay });
  const change = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const isCleared = target.value === '' && !target.validity.badInput;
    if (isCleared) send('');
    else type(target.value);
  };
  return (
    <label className={styles.chip}>
      {label}
      <input
        type="date"
        max="9999-12-31"
        value={text}
        onChange={change}
        onBlur={finish}
        onKeyDown={({ key }) => {
          if (key === 'Enter') finish();
        }}
      />
    </label>
  );
}
