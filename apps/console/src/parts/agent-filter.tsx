import { useAgents } from '../api/agents.js';
import { ChoiceFilter } from './filters.js';

/** One agent or all. An agent that is not in the list stays selected. */
export function AgentFilter({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (agentId: string) => void;
}) {
  const known = useAgents() ?? [];
  const others = value === '' || known.some(({ id }) => id === value) ? [] : [value];
  return (
    <ChoiceFilter
      label="Agent"
      value={value}
      options={[
        { value: '', label: 'All' },
        ...known.map(({ id, name }) => ({ value: id, label: name.slice(0, 60) })),
        ...others.map((id) => ({ value: id, label: id.slice(0, 8) })),
      ]}
      onChange={onChange}
    />
  );
}
