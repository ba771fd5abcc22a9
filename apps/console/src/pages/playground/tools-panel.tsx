import type { Agent } from '@parley/client/server';
import { humanized } from '../../parts/arguments.js';
import { Badge } from '../../parts/badge.js';
import { countOf } from '../../parts/words.js';
import type { Call } from './call.js';
import type { CallState } from './call-state.js';
import { demoTools } from './client-tools.js';
import { useCallPart } from './use-call.js';
import measures from './measures.module.css';
import styles from './tool-card.module.css';

const callsOf = (now: CallState) => now.said.calls;

type Known = {
  readonly name: string;
  readonly title: string;
  readonly kind: string;
  readonly asks: boolean;
};

const kinds: Readonly<Record<Agent['tools'][number]['kind'], string>> = {
  http: 'HTTP',
  mcp: 'MCP server',
  subagent: 'Another agent',
  builtin: 'Built in',
};

/** The tools of this session, and how often each was called. */
export function ToolsPanel({
  call,
  agent,
  clientTools,
}: {
  readonly call: Call;
  readonly agent: Agent | undefined;
  readonly clientTools: readonly string[];
}) {
  const calls = useCallPart(call, callsOf);
  const known: Known[] = [
    ...(agent?.tools ?? []).map((tool) => ({
      name: tool.name,
      title: tool.title ?? humanized(tool.name),
      kind: kinds[tool.kind],
      asks: tool.approvalRequired === true,
    })),
    ...demoTools
      .filter(({ name }) => clientTools.includes(name))
      .map(({ name }) => ({ name, title: humanized(name), kind: 'This page', asks: false })),
  ];
  if (known.length === 0)
    return (
      <p className={measures.empty}>
        This agent has no tools, and no client tools are switched on.
      </p>
    );
  return (
    <div className={measures.panel}>
      {known.map(({ name, title, kind, asks }) => {
        const own = calls.filter((one) => one.name === name);
        const failed = own.filter(({ state }) => state === 'failed').length;
        return (
          <article key={name} className={styles.card} aria-label={title}>
            <header className={styles.head}>
              <strong dir="auto">{title}</strong>
              <Badge plain>{kind}</Badge>
              {asks && (
                <Badge plain tone="warn">
                  Needs approval
                </Badge>
              )}
            </header>
            <p className={styles.meta}>
              <code>{name}</code>
              <span>{own.length === 0 ? 'not called yet' : countOf(own.length, 'call')}</span>
              {failed > 0 && <span>{failed} failed</span>}
            </p>
          </article>
        );
      })}
    </div>
  );
}
