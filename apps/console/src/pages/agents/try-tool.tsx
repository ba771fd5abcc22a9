import { useMutation } from '@tanstack/react-query';
import type { ToolTrial } from '@parley/client/server';
import { Link } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { useOrganization, useParley } from '../../api/parley.js';
import { Button } from '../../parts/button.js';
import { FailureNote } from '../../parts/failure-note.js';
import { SelectField, TextAreaField, TextField } from '../../parts/fields.js';
import { Card } from '../../parts/page.js';
import type { AgentState } from './agents-query.js';
import { own, parseObject, prettyJson, textOf, type Json } from './json.js';
import type { ParameterRow } from './parameter-rows.js';
import { useServerTools } from './server-tools.js';
import { argumentsOf, trialFields, typedOf } from './trial-arguments.js';
import { TrialOutcome } from './trial-outcome.js';
import sections from './sections.module.css';
import styles from './try-tool.module.css';

type TryToolProps = {
  readonly state: AgentState;
  readonly tool: Json;
  /** Whether the tool has no unsaved changes. */
  readonly saved: boolean;
  readonly readOnly: boolean;
  readonly onSave: () => void;
};

export function TryTool(props: TryToolProps) {
  const { state, tool, saved, readOnly, onSave } = props;
  if (readOnly) return null;
  const kind = textOf(tool.kind);
  return (
    <Card title="Try this tool">
      {kind === 'subagent' ? (
        <AskInstead tool={tool} />
      ) : saved && kind === 'mcp' ? (
        <ServerTrial {...props} />
      ) : saved ? (
        <Trial
          agentId={state.agent.id}
          name={textOf(tool.name) ?? ''}
          fields={kind === 'http' ? trialFields(tool.parameters) : undefined}
        />
      ) : (
        <div className={styles.first}>
          <p>
            Trying a tool uses its saved version. Save your changes first, then run it with your own
            arguments.
          </p>
          <Button onClick={onSave}>Save and continue</Button>
        </div>
      )}
    </Card>
  );
}

function AskInstead({ tool }: { readonly tool: Json }) {
  const { id: organizationId } = useOrganization();
  return (
    <p>
      A sub-agent is an agent of its own:{' '}
      <Link
        to="/$organizationId/playground"
        params={{ organizationId }}
        search={{ agent: textOf(tool.agentId) ?? '' }}
      >
        talk to it in the playground
      </Link>
      .
    </p>
  );
}

/**
 * The user picks a tool from the server's list; if there is none, they type its name, and the
 * failure says why.
 */
function ServerTrial({ state, tool }: TryToolProps) {
  const { data, isPending } = useServerTools(state, textOf(tool.name) ?? '');
  const [chosen, choose] = useState('');
  if (isPending) return <p className={styles.help}>Listing the server’s tools …</p>;
  const usable = data?.tools.filter(({ allowed }) => allowed) ?? [];
  const picked = usable.find(({ calledAs }) => calledAs === chosen);
  return (
    <div className={sections.sections}>
      {usable.length > 0 ? (
        <SelectField
          label="Tool of the server"
          value={chosen}
          options={[
            { value: '', label: 'Choose a tool' },
            ...usable.map(({ calledAs }) => ({ value: calledAs, label: calledAs })),
          ]}
          onChange={choose}
        />
      ) : (
        <TextField
          label="Tool of the server"
          help="The name the model uses."
          mono
          value={chosen}
          autoComplete="off"
          onChange={choose}
        />
      )}
      <Trial
        key={picked?.calledAs}
        agentId={state.agent.id}
        name={chosen}
        fields={picked && trialFields(picked.parameters)}
      />
    </div>
  );
}

type TrialProps = {
  readonly agentId: string;
  readonly name: string;
  /** Undefined if the arguments are written as JSON. */
  readonly fields: readonly ParameterRow[] | undefined;
};

function Trial({ agentId, name, fields }: TrialProps) {
  const parley = useParley();
  const { typed, json, setTyped, setJson, toggle } = useArguments(fields);
  const given = json === undefined ? argumentsOf(fields ?? [], typed) : parseObject(json);
  const trial = useMutation<ToolTrial, Error, Json>({
    mutationFn: (value) => parley.agents.tryTool(agentId, name, { arguments: value }),
  });
  return (
    <form
      className={sections.sections}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (given.ok && !trial.isPending) trial.mutate(given.value);
      }}
    >
      <p className={styles.help}>
        The tool really runs: a request is sent, or a task is created. It runs without approval and
        is recorded in the audit log.
      </p>
      {json === undefined ? (
        <ArgumentFields fields={fields ?? []} typed={typed} onChange={setTyped} />
      ) : (
        <TextAreaField
          label="Arguments, as JSON"
          mono
          rows={5}
          value={json}
          error={given.ok ? undefined : given.message}
          onChange={setJson}
        />
      )}
      {json === undefined && !given.ok && <p className={styles.wrong}>{given.message}</p>}
      <div className={styles.actions}>
        <Button type="submit" busy={trial.isPending} disabled={!given.ok || name.trim() === ''}>
          <Play size={14} aria-hidden="true" /> Run {name.trim() === '' ? 'the call' : name}
        </Button>
        {fields !== undefined && fields.length > 0 && (
          <Button look="ghost" onClick={toggle} disabled={json !== undefined && !given.ok}>
            {json === undefined ? 'Write the arguments as JSON' : 'Back to the fields'}
          </Button>
        )}
      </div>
      <FailureNote error={trial.error} />
      <div aria-live="polite">{trial.data && <TrialOutcome trial={trial.data} />}</div>
    </form>
  );
}

/** The input, in fields or as JSON. Switching between the two keeps it. */
function useArguments(fields: readonly ParameterRow[] | undefined) {
  const [typed, setAll] = useState<Readonly<Record<string, string>>>({});
  const [json, setJson] = useState(fields === undefined ? '{}' : undefined);
  return {
    typed,
    json,
    setJson,
    setTyped: (name: string, value: string) => setAll({ ...typed, [name]: value }),
    toggle: () => {
      if (json === undefined) {
        const given = argumentsOf(fields ?? [], typed);
        setJson(prettyJson(given.ok ? given.value : {}));
        return;
      }
      const parsed = parseObject(json);
      if (!parsed.ok) return;
      setAll(typedOf(fields ?? [], parsed.value));
      setJson(undefined);
    },
  };
}

const booleans = [
  { value: '', label: 'Omitted' },
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
] as const;

function ArgumentFields({
  fields,
  typed,
  onChange,
}: {
  readonly fields: readonly ParameterRow[];
  readonly typed: Readonly<Record<string, string>>;
  readonly onChange: (name: string, value: string) => void;
}) {
  if (fields.length === 0) return <p className={styles.help}>The tool takes no arguments.</p>;
  return (
    <div className={sections.columns}>
      {fields.map(({ name, type, description, required }) => {
        const value = own(typed, name) ?? '';
        const common = {
          label: required ? name : `${name} (optional)`,
          ...(description !== '' && { help: description }),
          onChange: (text: string) => onChange(name, text),
        };
        if (type === 'boolean')
          return (
            <SelectField
              key={name}
              {...common}
              value={value === 'true' || value === 'false' ? value : ''}
              options={booleans}
            />
          );
        const isNumber = type === 'integer' || type === 'number';
        return (
          <TextField
            key={name}
            {...common}
            value={value}
            type={isNumber ? 'number' : 'text'}
            mono={type !== 'string'}
            autoComplete="off"
          />
        );
      })}
    </div>
  );
}
