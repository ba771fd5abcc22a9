import type { Agent } from '@parley/client/server';
import { listDevices, onDevicesChange, type AudioDevice } from '@parley/client/audio';
import { Plus, RotateCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../parts/button.js';
import {
  SelectField,
  SwitchField,
  TextAreaField,
  TextField,
  type Option,
} from '../../parts/fields.js';
import type { Call } from './call.js';
import type { CallState } from './call-state.js';
import { demoTools } from './client-tools.js';
import { useCallPart } from './use-call.js';
import type { Wishes } from './wishes.js';
import styles from './playground.module.css';

const voices = 'alloy ash ballad cedar coral echo marin sage shimmer verse'.split(' ');

const turnNames: Readonly<Record<Agent['turnDetection']['type'], string>> = {
  semantic_vad: 'Semantic',
  server_vad: 'By silence',
  none: 'None: push to talk',
};

const answerOptions: readonly Option<Wishes['answers']>[] = [
  { value: 'auto', label: 'Same as your input' },
  { value: 'audio', label: 'Spoken' },
  { value: 'text', label: 'Written' },
];

const formatOptions: readonly Option<Wishes['inputFormat']>[] = [
  { value: 'pcm16', label: 'PCM, 24 kHz' },
  { value: 'g711_ulaw', label: 'G.711 µ-law, 8 kHz' },
  { value: 'g711_alaw', label: 'G.711 A-law, 8 kHz' },
];

const eagernessOptions: readonly Option<Wishes['eagerness']>[] = [
  { value: 'auto', label: 'Automatic' },
  { value: 'low', label: 'Low: gives you time' },
  { value: 'medium', label: 'Medium' },
  { value: 'high', label: 'High: answers quickly' },
];

type SettingsProps = {
  readonly call: Call;
  readonly listed: readonly Agent[];
  /** The chosen one, which may not be listed. */
  readonly agentId: string;
  readonly agent: Agent | undefined;
  readonly wishes: Wishes;
  readonly onAgent: (id: string) => void;
  readonly onWishes: (change: Partial<Wishes>) => void;
  readonly onNew: () => void;
};

const sessionOf = (now: CallState) => now.session;

export function SettingsPane(props: SettingsProps) {
  const { call, agentId, agent, wishes, onWishes } = props;
  return (
    <div className={styles.settings}>
      <Button onClick={props.onNew}>
        <Plus size={16} /> New conversation
      </Button>
      <SelectField
        label="Agent"
        value={agentId}
        options={agentOptions(props)}
        onChange={props.onAgent}
      />
      <TextField
        label="Voice"
        value={wishes.voice}
        list="playground-voices"
        placeholder={agent ? `The agent’s: ${agent.voice}` : ''}
        maxLength={64}
        onChange={(voice) => onWishes({ voice })}
      />
      <datalist id="playground-voices">
        {voices.map((voice) => (
          <option key={voice} value={voice} />
        ))}
      </datalist>
      <TurnFields {...props} />
      <SelectField
        label="Answers"
        value={wishes.answers}
        options={answerOptions}
        onChange={(answers) => onWishes({ answers })}
      />
      <Devices call={call} />
      <ClientTools {...props} />
      <MoreFields {...props} />
      <Pending {...props} />
    </div>
  );
}

/** Agents that take sessions, and the chosen one in any case. */
function agentOptions({ listed, agentId, agent }: SettingsProps): readonly Option<string>[] {
  const offered = listed.filter(({ id, realtimeEnabled }) => realtimeEnabled || id === agentId);
  const others = offered.some(({ id }) => id === agentId)
    ? []
    : [{ value: agentId, label: agent?.name ?? agentId.slice(0, 8) }];
  return [...offered.map(({ id, name }) => ({ value: id, label: name })), ...others];
}

function TurnFields({ agent, wishes, onWishes }: SettingsProps) {
  const { turnDetection } = wishes;
  const own = agent ? turnNames[agent.turnDetection.type] : '';
  const options: readonly Option<Wishes['turnDetection']>[] = [
    { value: 'agent', label: `The agent’s: ${own.toLowerCase()}` },
    { value: 'semantic_vad', label: turnNames.semantic_vad },
    { value: 'server_vad', label: turnNames.server_vad },
    { value: 'none', label: turnNames.none },
  ];
  return (
    <>
      <SelectField
        label="Turn detection"
        help="How the end of your turn is detected."
        value={turnDetection}
        options={options}
        onChange={(value) => onWishes({ turnDetection: value })}
      />
      {turnDetection === 'semantic_vad' && (
        <SelectField
          label="Eagerness"
          value={wishes.eagerness}
          options={eagernessOptions}
          onChange={(eagerness) => onWishes({ eagerness })}
        />
      )}
      {turnDetection === 'server_vad' && (
        <TextField
          label="Pause that ends a turn, in ms"
          value={wishes.silence}
          placeholder="The provider’s: 500"
          onChange={(silence) => onWishes({ silence: silence.replace(/\D/g, '') })}
        />
      )}
    </>
  );
}

function ClientTools({ wishes, onWishes }: SettingsProps) {
  const { tools } = wishes;
  return (
    <fieldset className={styles.group}>
      <legend>Client tools</legend>
      {demoTools.map(({ name, label, help, phrase }) => (
        <SwitchField
          key={name}
          label={label}
          help={tools.includes(name) ? `Try: “${phrase}”` : help}
          value={tools.includes(name)}
          onChange={(on) =>
            onWishes({ tools: on ? [...tools, name] : tools.filter((one) => one !== name) })
          }
        />
      ))}
    </fieldset>
  );
}

function MoreFields({ wishes, onWishes }: SettingsProps) {
  return (
    <details className={styles.more}>
      <summary>More for this session</summary>
      <div className={styles.group}>
        <TextAreaField
          label="Additional instructions"
          help="Added to the agent’s own, for this session only."
          value={wishes.instructions}
          onChange={(instructions) => onWishes({ instructions })}
        />
        <TextField
          label="Files"
          help="Ids of temporary files whose text the agent can read."
          mono
          value={wishes.files}
          onChange={(files) => onWishes({ files })}
        />
        <SelectField
          label="Input audio format"
          value={wishes.inputFormat}
          options={formatOptions}
          onChange={(inputFormat) => onWishes({ inputFormat })}
        />
        <SelectField
          label="Output audio format"
          value={wishes.outputFormat}
          options={formatOptions}
          onChange={(outputFormat) => onWishes({ outputFormat })}
        />
      </div>
    </details>
  );
}

/** Changes made while a session is open apply to the next one. */
function Pending({ call, wishes }: SettingsProps) {
  const session = useCallPart(call, sessionOf);
  const [applied, setApplied] = useState(wishes);
  const isOpen = session === 'open' || session === 'reconnecting';
  if (!isOpen && applied !== wishes) setApplied(wishes);
  if (!isOpen || applied === wishes) return null;
  return (
    <div className={styles.pending} role="status">
      <span>Changes apply from the next session on.</span>
      <Button
        small
        onClick={() => {
          setApplied(wishes);
          void call.again();
        }}
      >
        <RotateCw size={14} /> Apply now
      </Button>
    </div>
  );
}

const deviceOf = (now: CallState) => now.deviceId;
const microphoneOf = (now: CallState) => now.microphone;

/**
 * Browsers reveal the names of microphones once one was allowed; this does not ask for permission.
 */
function Devices({ call }: { readonly call: Call }) {
  const microphone = useCallPart(call, microphoneOf);
  const deviceId = useCallPart(call, deviceOf);
  const [devices, setDevices] = useState<readonly AudioDevice[]>([]);
  useEffect(() => {
    const look = () =>
      void listDevices().then((all) => setDevices(all.filter(({ kind }) => kind === 'microphone')));
    look();
    return onDevicesChange(look);
  }, [microphone]);
  if (microphone !== 'on' || devices.length === 0) return null;
  return (
    <SelectField
      label="Microphone"
      value={deviceId ?? ''}
      options={devices.map(({ id, label }) => ({ value: id, label }))}
      onChange={(id) => void call.useDevice(id)}
    />
  );
}
