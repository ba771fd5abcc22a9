import { useQuery } from '@tanstack/react-query';
import type { Connection } from '@parley/client/server';
import { useId } from 'react';
import { useOrganization, useParley } from '../../api/parley.js';
import { SelectField, SwitchField, TextField } from '../../parts/fields.js';
import { Card } from '../../parts/page.js';
import type { SectionProps } from './agent-editor.js';
import { connectionOptions } from './connection-options.js';
import { FallbackFields } from './fallback-fields.js';
import { TurnDetectionFields } from './turn-detection-fields.js';
import styles from './sections.module.css';

/** Known voices of providers. Any other name can be typed. */
const voices = 'alloy ash ballad cedar coral echo marin sage shimmer verse'.split(' ');

const deploymentDefault = { value: '', label: 'The deployment’s default' };

export function ModelTab(props: SectionProps) {
  return (
    <fieldset className={styles.sections} disabled={props.readOnly}>
      <ModelCard {...props} />
      <VoiceCard {...props} />
    </fieldset>
  );
}

function ModelCard(props: SectionProps) {
  const { edit, errors } = props;
  const { value, set } = edit;
  const list = useId();
  const connections = useConnections();
  const chosen = connections.find(({ id }) => id === value.connectionId);
  return (
    <Card title="Model">
      <SelectField
        label="Connection"
        help="Determines the provider and the account that is billed."
        value={value.connectionId ?? ''}
        options={[deploymentDefault, ...connectionOptions(connections, value.connectionId)]}
        error={errors.get('/connectionId')}
        onChange={(id) => set({ connectionId: id === '' ? null : id })}
      />
      <div className={styles.columns}>
        <TextField
          label="Realtime model"
          help="For voice. Leave it empty to use the deployment’s default."
          value={value.model}
          maxLength={200}
          list={list}
          mono
          error={errors.get('/model')}
          onChange={(model) => set({ model })}
        />
        <TextField
          label="Text model"
          help="For questions. Leave it empty to use the deployment’s default."
          value={value.textModel ?? ''}
          maxLength={200}
          list={list}
          mono
          error={errors.get('/textModel')}
          onChange={(model) => set({ textModel: model === '' ? null : model })}
        />
      </div>
      <datalist id={list}>
        {(chosen?.models ?? []).map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
      <FallbackFields {...props} connections={connections} />
    </Card>
  );
}

function VoiceCard({ edit, errors, readOnly }: SectionProps) {
  const { value, set } = edit;
  const list = useId();
  return (
    <Card title="Talking">
      <SwitchField
        label="Realtime sessions"
        help="If off, the agent only answers questions in text."
        value={value.realtimeEnabled}
        disabled={readOnly}
        onChange={(realtimeEnabled) => set({ realtimeEnabled })}
      />
      <div className={styles.columns}>
        <SelectField
          label="Answers"
          help="The default for sessions; a session can override it."
          value={value.outputModalities.includes('audio') ? 'audio' : 'text'}
          options={[
            { value: 'audio', label: 'Voice, with a transcript' },
            { value: 'text', label: 'Text only' },
          ]}
          error={errors.get('/outputModalities')}
          onChange={(modality) => set({ outputModalities: [modality] })}
        />
        <TextField
          label="Voice"
          help="One of the provider’s voices."
          value={value.voice}
          maxLength={64}
          list={list}
          error={errors.get('/voice')}
          onChange={(voice) => set({ voice })}
        />
      </div>
      <datalist id={list}>
        {voices.map((voice) => (
          <option key={voice} value={voice} />
        ))}
      </datalist>
      <TurnDetectionFields
        value={value.turnDetection}
        errors={errors}
        readOnly={readOnly}
        onChange={(turnDetection) => set({ turnDetection })}
      />
    </Card>
  );
}

function useConnections(): readonly Connection[] {
  const parley = useParley();
  const { id } = useOrganization();
  const { data } = useQuery({
    queryKey: [id, 'connections', 'all'],
    queryFn: async () => (await parley.connections.list({ limit: 200 })).items,
  });
  return data ?? [];
}
