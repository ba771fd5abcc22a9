import { useState } from 'react';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { FormDialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/fields.js';
import { Card } from '../../parts/page.js';
import type { SectionProps } from './agent-editor.js';
import { own, withValue } from './json.js';
import styles from './secrets-card.module.css';

/** The agent's secrets: write-only. */
export function SecretsCard({ state, edit, errors, readOnly }: SectionProps) {
  const { secrets } = edit.value;
  const [asked, ask] = useState<{ readonly name: string } | undefined>();
  const names = [...new Set([...state.agent.secretNames, ...Object.keys(secrets)])].sort();
  const set = (name: string, value: string | null | undefined) =>
    edit.set({ secrets: withValue(secrets, name, value) });
  return (
    <Card
      title="Secrets"
      actions={
        !readOnly && (
          <Button small onClick={() => ask({ name: '' })}>
            Add a secret
          </Button>
        )
      }
    >
      <p className={styles.help}>
        Headers and bodies use them as <code>{'{{secret:NAME}}'}</code>. They are stored encrypted
        and never shown again, here or in the API.
      </p>
      {names.length > 0 && (
        <ul className={styles.list}>
          {names.map((name) => (
            <li key={name} className={styles.row}>
              <code className={styles.name}>{name}</code>
              <SecretState
                stored={state.agent.secretNames.includes(name)}
                typed={own(secrets, name)}
              />
              {errors.get(`/secrets/${name}`) !== undefined && (
                <span className={styles.error}>{errors.get(`/secrets/${name}`)}</span>
              )}
              <span className={styles.space} />
              {!readOnly && (
                <SecretActions
                  changed={Object.hasOwn(secrets, name)}
                  onReplace={() => ask({ name })}
                  onRemove={() => set(name, null)}
                  onUndo={() => set(name, undefined)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {asked && (
        <SecretDialog
          given={asked.name}
          onClose={() => ask(undefined)}
          onSet={(name, value) => {
            set(name, value);
            ask(undefined);
          }}
        />
      )}
    </Card>
  );
}

function SecretState({
  stored,
  typed,
}: {
  readonly stored: boolean;
  readonly typed: string | null | undefined;
}) {
  if (typed === null) return <Badge tone="danger">Removed when you save</Badge>;
  if (typed !== undefined)
    return (
      <Badge tone="accent">{stored ? 'Replaced when you save' : 'Stored when you save'}</Badge>
    );
  return <Badge tone="ok">Stored</Badge>;
}

function SecretActions({
  changed,
  onReplace,
  onRemove,
  onUndo,
}: {
  readonly changed: boolean;
  readonly onReplace: () => void;
  readonly onRemove: () => void;
  readonly onUndo: () => void;
}) {
  if (changed)
    return (
      <Button small onClick={onUndo}>
        Undo
      </Button>
    );
  return (
    <>
      <Button small onClick={onReplace}>
        Replace
      </Button>
      <Button small look="quietDanger" onClick={onRemove}>
        Remove
      </Button>
    </>
  );
}

const namePattern = /^[A-Za-z_][\w-]{0,63}$/;

function SecretDialog({
  given,
  onClose,
  onSet,
}: {
  readonly given: string;
  readonly onClose: () => void;
  readonly onSet: (name: string, value: string) => void;
}) {
  const [name, setName] = useState(given);
  const [value, setValue] = useState('');
  const fits = namePattern.test(name);
  return (
    <FormDialog
      title={given === '' ? 'Add a secret' : `Replace ${given}`}
      description="It is stored when you save the agent."
      action={given === '' ? 'Add secret' : 'Replace secret'}
      busy={false}
      error={undefined}
      disabled={!fits || value === ''}
      onSubmit={() => fits && value !== '' && onSet(name, value)}
      onClose={onClose}
    >
      {given === '' && (
        <TextField
          label="Name"
          help="Letters, digits, _ and -, such as SHOP_KEY."
          mono
          value={name}
          maxLength={64}
          autoComplete="off"
          error={
            name === '' || fits
              ? undefined
              : 'It must start with a letter or _ and contain no spaces.'
          }
          onChange={setName}
        />
      )}
      <TextField
        label="Value"
        type="password"
        autoComplete="new-password"
        value={value}
        maxLength={8192}
        onChange={setValue}
      />
    </FormDialog>
  );
}
