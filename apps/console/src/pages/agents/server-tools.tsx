import { useQuery } from '@tanstack/react-query';
import type { ServerTools } from '@parley/client/server';
import { RefreshCw } from 'lucide-react';
import { useOrganization, useParley } from '../../api/parley.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { FailureNote } from '../../parts/failure-note.js';
import { CheckField } from '../../parts/fields.js';
import { Card } from '../../parts/page.js';
import { countOf } from '../../parts/words.js';
import type { AgentState } from './agents-query.js';
import styles from './server-tools.module.css';

export type ServerTool = ServerTools['tools'][number];

/** The tools that an MCP server offers, fetched for each saved version of the agent. */
export function useServerTools({ agent, etag }: AgentState, name: string) {
  const parley = useParley();
  const { id } = useOrganization();
  const isStored = agent.tools.some((tool) => tool.kind === 'mcp' && tool.name === name);
  return useQuery({
    queryKey: [id, 'agents', agent.id, 'server-tools', name, etag],
    queryFn: () => parley.agents.listServerTools(agent.id, name),
    enabled: isStored,
    refetchOnWindowFocus: false,
    retry: false,
  });
}

type ServerToolsCardProps = {
  readonly state: AgentState;
  readonly name: string;
  readonly saved: boolean;
  readonly readOnly: boolean;
  /** If empty, the agent may use all of them. */
  readonly allowedTools: readonly string[];
  readonly onAllow: (allowedTools: readonly string[]) => void;
};

/** The tools that the server lists now, and which of them the agent may use. */
export function ServerToolsCard(props: ServerToolsCardProps) {
  const { state, name, saved, readOnly } = props;
  const { data, error, isFetching, refetch } = useServerTools(state, name);
  if (readOnly) return null;
  const known = data !== undefined || error !== null;
  return (
    <Card
      title={
        data && data.tools.length > 0
          ? `The server offers ${countOf(data.tools.length, 'tool')}`
          : 'The server’s tools'
      }
      actions={
        known && (
          <Button small busy={isFetching} onClick={() => void refetch()}>
            <RefreshCw size={14} aria-hidden="true" /> Refresh
          </Button>
        )
      }
    >
      <div className={styles.listing} aria-live="polite">
        {!known && !isFetching && (
          <p className={styles.note}>Save the tool to list what the server offers.</p>
        )}
        {!known && isFetching && <p className={styles.note}>Listing tools …</p>}
        {known && !saved && (
          <p className={styles.note}>This list is for the tool as it is saved.</p>
        )}
        <FailureNote error={error} />
        {data && <Problems problems={data.problems} />}
        {data && data.tools.length > 0 && <ToolList {...props} tools={data.tools} />}
      </div>
    </Card>
  );
}

function Problems({ problems }: Pick<ServerTools, 'problems'>) {
  if (problems.length === 0) return null;
  return (
    <ul className={styles.problems}>
      {problems.map((problem) => (
        <li key={problem} dir="auto">
          {problem}
        </li>
      ))}
    </ul>
  );
}

function ToolList({
  tools,
  allowedTools,
  onAllow,
}: ServerToolsCardProps & { readonly tools: readonly ServerTool[] }) {
  const names = tools.map(({ name }) => name);
  const allowed = allowedTools.length === 0 ? names : allowedTools;
  const change = (name: string, allow: boolean) =>
    onAllow(allow ? [...allowed, name] : allowed.filter((other) => other !== name));
  return (
    <ul className={styles.tools}>
      {tools.map(({ name, calledAs, description, approvalRequired }) => (
        <li key={calledAs} className={styles.tool}>
          <CheckField
            label={name}
            help={[description, calledAs !== name && `The model calls it ${calledAs}.`]
              .filter(Boolean)
              .join(' ')}
            value={allowed.includes(name)}
            disabled={allowed.length === 1 && allowed[0] === name}
            onChange={(allow) => change(name, allow)}
          />
          {approvalRequired && <Badge tone="warn">Needs approval</Badge>}
        </li>
      ))}
    </ul>
  );
}
