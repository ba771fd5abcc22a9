import { useMutation } from '@tanstack/react-query';
import type { Connection } from '@parley/client/server';
import { useState } from 'react';
import { fieldErrorsOf } from '../../api/failure.js';
import { useOrganization, useParley } from '../../api/parley.js';
import { queryClient } from '../../api/signed-in.js';
import { FormDialog } from '../../parts/dialog.js';
import { SelectField, SwitchField, TextAreaField, TextField } from '../../parts/fields.js';
import { tell } from '../../parts/toasts.js';
import {
  dropsSecret,
  emptyForm,
  formOf,
  inputOf,
  kindNames,
  kinds,
  patchOf,
  type ConnectionForm,
} from './kinds.js';
import { SecretField } from './secret-field.js';
import { ConnectionTestButton } from './connection-test.js';

type FormProps = {
  readonly form: ConnectionForm;
  readonly set: (changes: Partial<ConnectionForm>) => void;
  readonly problems: ReadonlyMap<string, string>;
  readonly stored?: Connection;
};

export function CreateConnectionDialog({ onClose }: { readonly onClose: () => void }) {
  const { id } = useOrganization();
  const parley = useParley();
  const [form, setForm] = useState(emptyForm);
  const create = useMutation({
    mutationFn: () => parley.connections.create(inputOf(form)),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: [id, 'connections'] });
      tell({ title: 'Connection created', text: 'Agents can use it now.' });
      onClose();
    },
  });
  return (
    <FormDialog
      title="Create a connection"
      description="How Parley reaches a model provider for this organization’s agents."
      action="Create connection"
      wide
      busy={create.isPending}
      error={create.error}
      disabled={form.name.trim() === ''}
      onClose={onClose}
      onSubmit={() => create.mutate()}
    >
      <ConnectionFields
        form={form}
        set={(changes) => setForm((now) => ({ ...now, ...changes }))}
        problems={fieldErrorsOf(create.error)}
      />
    </FormDialog>
  );
}

export function EditConnectionDialog({
  connection,
  onClose,
}: {
  readonly connection: Connection;
  readonly onClose: () => void;
}) {
  const { id } = useOrganization();
  const parley = useParley();
  const [before] = useState(() => formOf(connection));
  const [form, setForm] = useState(before);
  const changes = patchOf(before, form);
  const update = useMutation({
    mutationFn: () => parley.connections.update(connection.id, changes),
    onSuccess: ({ warnings = [] }) => {
      void queryClient.invalidateQueries({ queryKey: [id, 'connections'] });
      const text = warnings.map(({ message }) => message).join(' ');
      tell({ title: 'Connection changed', ...(text !== '' && { text }) });
      onClose();
    },
  });
  return (
    <FormDialog
      title="Change the connection"
      description="Open sessions are not affected."
      action="Save changes"
      wide
      busy={update.isPending}
      error={update.error}
      disabled={form.name.trim() === '' || Object.keys(changes).length === 0}
      onClose={onClose}
      onSubmit={() => update.mutate()}
    >
      <ConnectionFields
        form={form}
        set={(changes) => setForm((now) => ({ ...now, ...changes }))}
        problems={fieldErrorsOf(update.error)}
        stored={connection}
      />
      <ConnectionTestButton
        connectionId={connection.id}
        note="This tests the saved connection, not your unsaved changes."
      />
    </FormDialog>
  );
}

function ConnectionFields({ form, set, problems, stored }: FormProps) {
  const kind = kinds[form.kind];
  return (
    <>
      <TextField
        label="Name"
        autoFocus={stored === undefined}
        autoComplete="off"
        value={form.name}
        error={problems.get('/name')}
        onChange={(name) => set({ name })}
      />
      <SelectField
        label="Provider"
        help={stored && 'The provider cannot be changed: create another connection instead.'}
        disabled={stored !== undefined}
        value={form.kind}
        options={kindNames.map((value) => ({ value, label: kinds[value].label }))}
        error={problems.get('/kind')}
        onChange={(chosen) => set({ kind: chosen })}
      />
      <TextField
        label={kind.address === 'required' ? 'Address' : 'Address (optional)'}
        type="url"
        mono
        autoComplete="off"
        placeholder={kind.example}
        help={
          kind.address === 'required'
            ? 'The base URL for an OpenAI SDK; for Azure, the resource’s origin.'
            : 'Leave it empty to use the provider’s default.'
        }
        value={form.baseUrl}
        error={problems.get('/baseUrl')}
        onChange={(baseUrl) => set({ baseUrl })}
      />
      <SecretField
        stored={stored?.hasSecret === true}
        dropped={stored !== undefined && dropsSecret(stored, form)}
        value={form.secret}
        error={problems.get('/secret')}
        onChange={(secret) => set({ secret })}
      />
      <TextAreaField
        label="Models (optional)"
        mono
        rows={3}
        help="One per line. Leave it empty to allow any model of the provider."
        value={form.models}
        error={problems.get('/models')}
        onChange={(models) => set({ models })}
      />
      <SwitchField
        label="Realtime sessions"
        help="The connection supports realtime voice sessions."
        value={form.realtime}
        onChange={(realtime) => set({ realtime })}
      />
      <SwitchField
        label="Enabled"
        help="If off, no agent can use the connection."
        value={form.enabled}
        onChange={(enabled) => set({ enabled })}
      />
    </>
  );
}
