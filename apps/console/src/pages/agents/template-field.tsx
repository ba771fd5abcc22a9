import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Field } from '../../parts/fields.js';
import { complete, openReference, suggestionsFor } from './template-completion.js';
import styles from './template-field.module.css';

type Typing = HTMLInputElement | HTMLTextAreaElement;

/**
 * A text field that completes `{{…}}`. Arrow keys choose, Enter or Tab accepts, Escape closes the
 * list.
 */
export function TemplateField(props: {
  readonly label: string;
  readonly help?: ReactNode;
  readonly error?: string | undefined;
  readonly placeholder?: string;
  /** More than one makes it a multi-line field. */
  readonly rows?: number;
  readonly names: readonly string[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const { label, help, error, rows, names, value, onChange } = props;
  const place = useRef<Typing>(null);
  const list = useId();
  const { choices, at, setAt, look, close, take } = useCompletion(names, (text, caret) => {
    onChange(text);
    requestAnimationFrame(() => place.current?.setSelectionRange(caret, caret));
  });
  const press = (event: KeyboardEvent<Typing>) => {
    if (choices.length === 0) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setAt((at + step + choices.length) % choices.length);
    else if (event.key === 'Enter' || event.key === 'Tab') take(event.currentTarget, choices[at]);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Field label={label} help={help} error={error}>
      {(wiring) => {
        const control = {
          ...wiring,
          className: styles.input,
          value,
          placeholder: props.placeholder,
          spellCheck: false,
          autoComplete: 'off',
          'aria-autocomplete': 'list' as const,
          'aria-controls': choices.length > 0 ? list : undefined,
          'aria-activedescendant': choices.length > 0 ? `${list}-${at}` : undefined,
          onChange: (event: { currentTarget: Typing }) => {
            onChange(event.currentTarget.value);
            look(event.currentTarget);
          },
          onClick: (event: { currentTarget: Typing }) => look(event.currentTarget),
          onKeyDown: press,
          onBlur: close,
        };
        return (
          <span className={styles.place}>
            {rows === undefined ? (
              <input
                {...control}
                ref={place as React.Ref<HTMLInputElement>}
                type="text"
                role="combobox"
                aria-expanded={choices.length > 0}
              />
            ) : (
              <textarea {...control} ref={place as React.Ref<HTMLTextAreaElement>} rows={rows} />
            )}
            {choices.length > 0 && (
              <ul id={list} role="listbox" aria-label="Completions" className={styles.list}>
                {choices.map((name, index) => (
                  <li
                    key={name}
                    id={`${list}-${index}`}
                    role="option"
                    aria-selected={index === at}
                    className={styles.choice}
                    onMouseDown={(event) => {
                      event.preventDefault();
                      if (place.current) take(place.current, name);
                    }}
                  >
                    {`{{${name}}}`}
                  </li>
                ))}
              </ul>
            )}
          </span>
        );
      }}
    </Field>
  );
}

/** The completions at the caret. */
function useCompletion(names: readonly string[], onTaken: (text: string, caret: number) => void) {
  const [choices, setChoices] = useState<readonly string[]>([]);
  const [at, setAt] = useState(0);
  const close = () => setChoices([]);
  return {
    choices,
    at,
    setAt,
    close,
    look: ({ value, selectionStart }: Typing) => {
      setChoices(suggestionsFor(openReference(value, selectionStart ?? value.length), names));
      setAt(0);
    },
    take: ({ value, selectionStart }: Typing, name: string | undefined) => {
      const open = openReference(value, selectionStart ?? value.length);
      if (!open || name === undefined) return;
      const completed = complete(value, open, name);
      close();
      onTaken(completed.text, completed.caret);
    },
  };
}
