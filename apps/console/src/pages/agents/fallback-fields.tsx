import type { Connection } from '@parley/client/server';
import { Plus, Trash2 } from 'lucide-react';
import { Button, IconButton } from '../../parts/button.js';
import { SelectField } from '../../parts/fields.js';
import type { SectionProps } from './agent-editor.js';
import { connectionOptions } from './connection-options.js';
import styles from './tool-fields.module.css';

/** As many as the API accepts. */
const maxFallbacks = 5;

type FallbackFieldsProps = SectionProps & { readonly connections: readonly Connection[] };

/** The connections that sessions try in order when the agent's own fails. */
export function FallbackFields({ edit, errors, readOnly, connections }: FallbackFieldsProps) {
  const { value, set } = edit;
  const { fallbackConnectionIds: ids, connectionId } = value;
  const become = (fallbackConnectionIds: readonly string[]) =>
    set({ fallbackConnectionIds: [...fallbackConnectionIds] });
  const next = connections.find(
    ({ id, realtime }) => realtime && id !== connectionId && !ids.includes(id),
  );
  return (
    <div className={styles.group} role="group" aria-label="Fallbacks">
      <div className={styles.groupHead}>
        <h3>Fallbacks</h3>
        <Button
          small
          disabled={readOnly || next === undefined || ids.length >= maxFallbacks}
          onClick={() => next && become([...ids, next.id])}
        >
          <Plus size={14} aria-hidden="true" /> Add a fallback
        </Button>
      </div>
      <p className={styles.help}>
        If the connection fails, a session goes on with the first of these that works.
        {next === undefined && ids.length === 0 && ' There is no other connection for voice.'}
      </p>
      {ids.map((id, at) => (
        <div key={at} className={styles.single}>
          <SelectField
            label={`Fallback ${at + 1}`}
            value={id}
            options={connectionOptions(connections, id)}
            error={errors.get(`/fallbackConnectionIds/${at}`)}
            onChange={(chosen) => become(ids.map((other, n) => (n === at ? chosen : other)))}
          />
          <IconButton
            label={`Remove fallback ${at + 1}`}
            icon={<Trash2 size={14} />}
            disabled={readOnly}
            onClick={() => become(ids.filter((_, n) => n !== at))}
          />
        </div>
      ))}
      {errors.get('/fallbackConnectionIds') !== undefined && (
        <span className={styles.error} role="alert">
          {errors.get('/fallbackConnectionIds')}
        </span>
      )}
    </div>
  );
}
