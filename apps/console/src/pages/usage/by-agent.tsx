import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Agent, UsageInterval } from '@parley/client/server';
import { useOrganization, useParley } from '../../api/parley.js';
import { DataTable, type Column } from '../../parts/data-table.js';
import { Name } from '../../parts/name.js';
import { EmptyState } from '../../parts/page.js';
import { countText } from '../../parts/words.js';
import { figures, sumOf, type Figure } from './figures.js';
import type { UsageRange } from './usage-range.js';

type AgentUsage = { readonly agent: Agent; readonly items: readonly UsageInterval[] };

/** Limited, because each agent takes one request. */
const mostAgents = 20;

export function ByAgent({ range }: { readonly range: UsageRange }) {
  const { id } = useOrganization();
  const parley = useParley();
  const usage = useQuery({
    queryKey: [id, 'usage', 'by-agent', range.from, range.to],
    queryFn: async () => {
      const { items: agents } = await parley.agents.list({ limit: mostAgents });
      const rows: AgentUsage[] = [];
      for (const agent of agents) {
        const asked = { ...range, interval: 'day', agentId: agent.id } as const;
        const { items } = await parley.usage.get(asked);
        rows.push({ agent, items });
      }
      return rows.toSorted(
        (a, b) => sumOf(figures.tokens, b.items) - sumOf(figures.tokens, a.items),
      );
    },
    staleTime: 60_000,
  });
  return (
    <DataTable
      label="Usage by agent"
      leads
      columns={columnsIn(id)}
      rows={usage.data}
      rowKey={({ agent }) => agent.id}
      error={usage.error}
      onRetry={() => void usage.refetch()}
      empty={<EmptyState title="No agents yet">The usage of each agent appears here.</EmptyState>}
    />
  );
}

function columnsIn(organizationId: string): readonly Column<AgentUsage>[] {
  const sum = (name: string, figure: Figure, minor = false): Column<AgentUsage> => ({
    name,
    number: true,
    minor,
    cell: ({ items }) => countText(Math.round(sumOf(figure, items))),
  });
  return [
    {
      name: 'Agent',
      cell: ({ agent }) => (
        <Link
          to="/$organizationId/usage"
          params={{ organizationId }}
          search={(before) => ({ ...before, agent: agent.id })}
        >
          <Name text={agent.name} />
        </Link>
      ),
    },
    sum('Sessions', figures.sessions),
    sum('Minutes', figures.minutes, true),
    sum('Tokens', figures.tokens),
    sum('Tool calls', figures.toolCalls, true),
    sum('Errors', figures.errors),
  ];
}
