import { useMutation } from '@tanstack/react-query';
import type { ChangedWebhook, Webhook, WebhookWithSecret } from '@parley/client/server';
import { useState } from 'react';
import { fieldErrorsOf } from '../../api/failure.js';
import { useOrganization, useParley } from '../../api/parley.js';
import { queryClient } from '../../api/signed-in.js';
import { FormDialog } from '../../parts/dialog.js';
import { changesOf } from '../../parts/changes.js';
import { CheckField, TextField } from '../../parts/fields.js';
import { eventNames, events, type EventName } from './events.js';
import styles from './webhooks.module.css';

export function CreateWebhookDialog({
  onCreated,
  onClose,
}: {
  readonly onCreated: (made: WebhookWithSecret) => void;
  readonly onClose: () => void;
}) {
  const { id } = useOrganization();
  const parley = useParley();
  const [url, setUrl] = useState('');
  const [chosen, setChosen] = useState<readonly EventName[]>(eventNames);
  const create = useMutation({
    mutationFn: () => parley.webhooks.create({ url: url.trim(), events: chosen }),
    onSuccess: (made) => {
      void queryClient.invalidateQueries({ queryKey: [id, 'webhooks'] });
      onCreated(made);
    },
  });
  return (
    <FormDialog
      title="Create a webhook"
      description="Parley sends a signed POST request to your URL when an event happens, and retries it until you accept it."
      action="Create webhook"
      busy={create.isPending}
      error={create.error}
      disabled={url.trim() === '' || chosen.length === 0}
      onClose={onClose}
      onSubmit={() => create.mutate()}
    >
      <WebhookFields
        url={url}
        setUrl={setUrl}
        chosen={chosen}
        setChosen={setChosen}
        problems={fieldErrorsOf(create.error)}
      />
    </FormDialog>
  );
}

export function EditWebhookDialog({
  webhook,
  onChanged,
  onClose,
}: {
  readonly webhook: Webhook;
  readonly onChanged: (changed: ChangedWebhook) => void;
  readonly onClose: () => void;
}) {
  const { id } = useOrganization();
  const parley = useParley();
  const [url, setUrl] = useState(webhook.url);
  const [chosen, setChosen] = useState(webhook.events);
  const [before] = useState({ url, events: chosen });
  const changes = changesOf(before, { url: url.trim(), events: chosen });
  const update = useMutation({
    mutationFn: () => parley.webhooks.update(webhook.id, changes),
    onSuccess: (changed) => {
      void queryClient.invalidateQueries({ queryKey: [id, 'webhooks'] });
      onChanged(changed);
    },
  });
  return (
    <FormDialog
      title="Change the webhook"
      description="Changing the URL to another host creates a new signing secret."
      action="Save changes"
      busy={update.isPending}
      error={update.error}
      disabled={url.trim() === '' || chosen.length === 0 || Object.keys(changes).length === 0}
      onClose={onClose}
      onSubmit={() => update.mutate()}
    >
      <WebhookFields
        url={url}
        setUrl={setUrl}
        chosen={chosen}
        setChosen={setChosen}
        problems={fieldErrorsOf(update.error)}
      />
    </FormDialog>
  );
}

function WebhookFields({
  url,
  setUrl,
  chosen,
  setChosen,
  problems,
}: {
  readonly url: string;
  readonly setUrl: (url: string) => void;
  readonly chosen: readonly EventName[];
  readonly setChosen: (chosen: readonly EventName[]) => void;
  readonly problems: ReadonlyMap<string, string>;
}) {
  const problem = chosen.length === 0 ? 'Choose at least one event.' : problems.get('/events');
  return (
    <>
      <TextField
        label="URL"
        type="url"
        mono
        autoFocus
        autoComplete="off"
        placeholder="https://example.com/parley-events"
        help="The deployment must be able to reach it."
        value={url}
        error={problems.get('/url')}
        onChange={setUrl}
      />
      <fieldset>
        <legend className={styles.legend}>Events</legend>
        <div className={styles.events}>
          {eventNames.map((name) => (
            <CheckField
              key={name}
              label={<code>{name}</code>}
              help={events[name]}
              value={chosen.includes(name)}
              onChange={(on) =>
                setChosen(
                  eventNames.filter((other) => (other === name ? on : chosen.includes(other))),
                )
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
    </>
  );
}
