import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrorsOf } from '../../api/failure.js';
import type { ApiKey, ApiKeyInput, ApiKeyPatch, NewApiKey } from '@parley/client/server';
import { useOrganization, useParley } from '../../api/parley.js';
import { queryClient } from '../../api/signed-in.js';
import { FormDialog } from '../../parts/dialog.js';
import { CheckField, SelectField, TextField } from '../../parts/fields.js';
import { useNow } from '../../parts/time.js';
import { tell } from '../../parts/toasts.js';
import { expiresAtOf, expiryChoices, expiryOf, type Expiry } from './expiry.js';
import { scopeNames, scopes, usualScopes, type Scope } from './scopes.js';
import styles from './keys.module.css';

export function CreateKeyDialog({
  onCreated,
  onClose,
}: {
  readonly onCreated: (made: NewApiKey) => void;
  readonly onClose: () => void;
}) {
  const { id } = useOrganization();
  const parley = useParley();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly Scope[]>(usualScopes);
  const [expiry, setExpiry] = useState<Expiry>({ choice: '90', day: '' });
  const create = useMutation({
    mutationFn: (body: ApiKeyInput) => parley.apiKeys.create(body),
    onSuccess: (made) => {
      void queryClient.invalidateQueries({ queryKey: [id, 'keys'] });
      onCreated(made);
    },
  });
  const problems = fieldErrorsOf(create.error);
  const expiresAt = expiresAtOf(expiry, useNow(60_000));
  const ready = name.trim() !== '' && chosen.length > 0 && expiresAt !== undefined;
  return (
    <FormDialog
      title="Create an API key"
      description="An API key gives your programs access to this organization. It is shown once."
      action="Create key"
      wide
      busy={create.isPending}
      error={create.error}
      disabled={!ready}
      onClose={onClose}
      onSubmit={() => {
        if (ready) create.mutate({ name: name.trim(), scopes: chosen, expiresAt });
      }}
    >
      <TextField
        label="Name"
        help="Say what uses it, such as “Backend in production”."
        autoFocus
        autoComplete="off"
        value={name}
        error={problems.get('/name')}
        onChange={setName}
      />
      <ExpiryField value={expiry} error={problems.get('/expiresAt')} onChange={setExpiry} />
      <ScopesField chosen={chosen} error={problems.get('/scopes')} onChange={setChosen} />
    </FormDialog>
  );
}

export function EditKeyDialog({
  apiKey,
  onClose,
}: {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}) {
  const { id } = useOrganization();
  const parley = useParley();
  const [name, setName] = useState(apiKey.name);
  const [expiry, setExpiry] = useState<Expiry>(expiryOf(apiKey.expiresAt));
  const update = useMutation({
    mutationFn: (body: ApiKeyPatch) => parley.apiKeys.update(apiKey.id, body),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: [id, 'keys'] });
      tell({ title: 'Key changed' });
      onClose();
    },
  });
  const problems = fieldErrorsOf(update.error);
  const sameExpiry = JSON.stringify(expiry) === JSON.stringify(expiryOf(apiKey.expiresAt));
  const expiresAt = expiresAtOf(expiry, useNow(60_000));
  const sameName = name.trim() === apiKey.name;
  const isComplete = name.trim() !== '' && expiresAt !== undefined;
  return (
    <FormDialog
      title="Change the key"
      description="The key itself and its scopes cannot be changed: create another key instead."
      action="Save changes"
      busy={update.isPending}
      error={update.error}
      disabled={!isComplete || (sameName && sameExpiry)}
      onClose={onClose}
      onSubmit={() =>
        update.mutate({
          ...(!sameName && { name: name.trim() }),
          ...(!sameExpiry && expiresAt !== undefined && { expiresAt }),
        })
      }
    >
      <TextField
        label="Name"
        autoComplete="off"
        value={name}
        error={problems.get('/name')}
        onChange={setName}
      />
      <ExpiryField value={expiry} error={problems.get('/expiresAt')} onChange={setExpiry} />
    </FormDialog>
  );
}

function ExpiryField({
  value,
  error,
  onChange,
}: {
  readonly value: Expiry;
  readonly error: string | undefined;
  readonly onChange: (value: Expiry) => void;
}) {
  return (
    <div className={styles.expiry}>
      <SelectField
        label="Expires"
        help={value.choice === 'never' ? 'It works until somebody revokes it.' : undefined}
        value={value.choice}
        options={expiryChoices}
        error={error}
        onChange={(choice) => onChange({ ...value, choice })}
      />
      {value.choice === 'date' && (
        <TextField
          label="Last day"
          type="date"
          value={value.day}
          onChange={(day) => onChange({ ...value, day })}
        />
      )}
    </div>
  );
}

function ScopesField({
  chosen,
  error,
  onChange,
}: {
  readonly chosen: readonly Scope[];
  readonly error: string | undefined;
  readonly onChange: (chosen: readonly Scope[]) => void;
}) {
  const problem = chosen.length === 0 ? 'Choose at least one scope.' : error;
  return (
    <fieldset>
      <legend className={styles.legend}>Scopes: what the key may do</legend>
      <div className={styles.scopes}>
        {scopeNames.map((name) => (
          <CheckField
            key={name}
            label={<code>{name}</code>}
            help={scopes[name].does}
            value={chosen.includes(name)}
            onChange={(on) =>
              onChange(scopeNames.filter((other) => (other === name ? on : chosen.includes(other))))
            }
          />
        ))}
      </div>
      {problem !== undefined && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
