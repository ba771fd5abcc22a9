import { useNavigate, useSearch } from '@tanstack/react-router';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useOrganization } from '../../api/parley.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Menu, MenuItem, MenuLine } from '../../parts/menu.js';
import { Card, EmptyState } from '../../parts/page.js';
import { countOf } from '../../parts/words.js';
import type { SectionProps } from './agent-editor.js';
import { useAgentNames } from './agents-query.js';
import { errorsWithin } from './field-errors.js';
import { textOf, type Json } from './json.js';
import { SecretsCard } from './secrets-card.js';
import { ToolEditor } from './tool-editor.js';
import { builtinTools, summaryOf } from './tool-summary.js';
import sections from './sections.module.css';
import styles from './tools-tab.module.css';

export type ToolsTabProps = SectionProps & { readonly onSave: () => void };

export function ToolsTab(props: ToolsTabProps) {
  const { edit } = props;
  const { tool } = useSearch({ strict: false });
  const open = useOpenTool(props);
  const index = Number(tool ?? 'NaN');
  const chosen = edit.value.tools[index];
  if (chosen)
    return (
      <ToolEditor
        key={index}
        {...props}
        index={index}
        tool={chosen}
        onClose={() => open(undefined)}
        onRemove={() => {
          edit.set({ tools: edit.value.tools.filter((_, at) => at !== index) });
          open(undefined);
        }}
      />
    );
  return (
    <div className={sections.sections}>
      <ToolCards {...props} onOpen={open} />
      <SecretsCard {...props} />
    </div>
  );
}

function useOpenTool({ state }: ToolsTabProps) {
  const { id: organizationId } = useOrganization();
  const navigate = useNavigate();
  return (index: number | undefined) =>
    void navigate({
      to: '/$organizationId/agents/$agentId',
      params: { organizationId, agentId: state.agent.id },
      search: { tab: 'tools', ...(index !== undefined && { tool: String(index) }) },
    });
}

function ToolCards(props: ToolsTabProps & { readonly onOpen: (index: number) => void }) {
  const { edit, errors, readOnly, onOpen } = props;
  const names = useAgentNames();
  const { tools } = edit.value;
  const add = (tool: Json) => {
    edit.set({ tools: [...tools, tool] });
    onOpen(tools.length);
  };
  return (
    <Card
      title={tools.length === 0 ? 'Tools' : countOf(tools.length, 'tool')}
      actions={!readOnly && <AddTool tools={tools} onAdd={add} />}
    >
      {tools.length === 0 && (
        <EmptyState title="No tools yet">
          Tools let the agent look things up and get things done: a request to your server, an MCP
          server, another agent, or a built-in tool.
        </EmptyState>
      )}
      <ul className={styles.cards}>
        {tools.map((tool, at) => (
          <li key={at}>
            <ToolCard
              summary={summaryOf(tool, (id) => names.get(id))}
              wrong={errorsWithin(errors, `/tools/${at}`).size}
              onOpen={() => onOpen(at)}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function ToolCard({
  summary,
  wrong,
  onOpen,
}: {
  readonly summary: ReturnType<typeof summaryOf>;
  readonly wrong: number;
  readonly onOpen: () => void;
}) {
  return (
    <button type="button" className={styles.card} onClick={onOpen}>
      <span className={styles.head}>
        <bdi className={styles.name}>{summary.name}</bdi>
        <Badge plain>{summary.kind}</Badge>
        {summary.approval !== undefined && <Badge tone="warn">{summary.approval}</Badge>}
        {wrong > 0 && <Badge tone="danger">{countOf(wrong, 'mistake')}</Badge>}
      </span>
      {summary.target !== '' && <bdi className={styles.target}>{summary.target}</bdi>}
      {summary.about !== '' && <bdi className={styles.about}>{summary.about}</bdi>}
      <ChevronRight size={16} aria-hidden="true" className={styles.leads} />
    </button>
  );
}

const httpTool: Json = { kind: 'http', name: '', description: '', method: 'GET', url: '' };
const mcpTool: Json = { kind: 'mcp', name: '', serverUrl: '' };
const subagentTool: Json = { kind: 'subagent', name: '', agentId: '' };

function AddTool({
  tools,
  onAdd,
}: {
  readonly tools: readonly Json[];
  readonly onAdd: (tool: Json) => void;
}) {
  const taken = new Set(tools.map((tool) => textOf(tool.name)));
  const free = Object.keys(builtinTools).filter((name) => !taken.has(name));
  return (
    <Menu
      trigger={
        <Button small>
          Add a tool <ChevronDown size={14} aria-hidden="true" />
        </Button>
      }
    >
      <MenuItem onSelect={() => onAdd(httpTool)}>HTTP request</MenuItem>
      <MenuItem onSelect={() => onAdd(mcpTool)}>MCP server</MenuItem>
      <MenuItem onSelect={() => onAdd(subagentTool)}>Another agent</MenuItem>
      {free.length > 0 && <MenuLine />}
      {free.map((name) => (
        <MenuItem key={name} onSelect={() => onAdd({ kind: 'builtin', name })}>
          Built in: {name}
        </MenuItem>
      ))}
    </Menu>
  );
}
