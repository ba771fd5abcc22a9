import type { SecretBox, Transactor } from '@parley/database';
import type { Egress } from '@parley/egress';
import type { Tool } from '@parley/protocol';
import { parseArguments } from './arguments.js';
import type { Report } from './attempt.js';
import { bindTools } from './bind-tools.js';
import type { BuiltinPorts } from './builtin-tools.js';
import { openCall } from '../calls/call.js';
import { endings, type CallEnding } from '../calls/endings.js';
import { loadAgent, type LoadedAgent } from '../load-agent.js';
import { bounded } from './result-text.js';
import { runTool } from '../calls/run-tool.js';
import type { ToolMetrics } from './tool-metrics.js';
import type { BoundTool } from './tool.js';
import { masked, watchEgress, type SentRequest } from './watch-egress.js';

/**
 * One tool of an agent, ready to be run by a person: just as for a call by the model, but without a
 * conversation and without approval.
 */
export type ToolTrial = {
  /** Never throws: any failure is the outcome. */
  readonly run: (input: Readonly<Record<string, unknown>>) => Promise<TrialOutcome>;
  readonly close: () => Promise<void>;
};

export type TrialOutcome = {
  /** Null if nothing was sent, or the tool sends nothing. */
  readonly request: SentRequest | null;
  readonly ending: Extract<CallEnding, 'succeeded' | 'failed' | 'refused' | 'timed_out'>;
  /** What the model would read. */
  readonly output: string;
  readonly durationMs: number;
};

export type OpenedTrial =
  | { readonly kind: 'ready'; readonly trial: ToolTrial }
  | { readonly kind: 'no-agent' }
  | { readonly kind: 'subagent' }
  /** `names` are the agent's tools; `trouble` names the servers that did not list theirs. */
  | { readonly kind: 'no-tool'; readonly names: readonly string[]; readonly trouble: string };

export type ToolTrials = {
  /** Takes the name of a tool as the model sees it. */
  readonly openTrial: (
    organizationId: string,
    agentId: string,
    name: string,
  ) => Promise<OpenedTrial>;
};

export type TrialOptions = {
  readonly database: Transactor;
  readonly secretBox: SecretBox;
  readonly egress: Egress;
  readonly builtin: BuiltinPorts;
  readonly metrics: ToolMetrics;
  readonly report: Report;
};

export function toolTrials(options: TrialOptions): ToolTrials {
  return {
    async openTrial(organizationId, agentId, name) {
      const loaded = await loadAgent(options, organizationId, agentId);
      if (!loaded) return { kind: 'no-agent' };
      const own = loaded.tools.find((tool) => tool.kind !== 'mcp' && tool.name === name);
      if (own?.kind === 'subagent') return { kind: 'subagent' };
      // A trial of one of the agent's own tools does not wait for its MCP servers.
      const tools = own ? [own] : loaded.tools;
      const watch = new RequestWatch();
      const troubles: string[] = [];
      const bound = await bindTools(
        { ...loaded, tools },
        {
          ...inNoConversation(organizationId),
          egress: watchEgress(options.egress, (request) => watch.note(request)),
          builtin: options.builtin,
          reportMcp: ({ tool, reason }) => troubles.push(`${tool}: ${reason}`),
        },
      );
      const tool = bound.tools.get(name);
      if (tool) return { kind: 'ready', trial: trialOf({ tool, loaded, watch, bound, options }) };
      await bound.close();
      return { kind: 'no-tool', names: [...bound.tools.keys()], trouble: troubles.join(' ') };
    },
  };
}

/** For a person's request outside any conversation. */
export function inNoConversation(organizationId: string) {
  return {
    place: { organizationId, conversationId: null },
    ancestors: [],
    emit: () => undefined,
    reservedNames: [],
    answerAs: () => Promise.reject(new Error('A sub-agent is not tried.')),
  };
}

/**
 * Finds the request that makes the call, among those that open or close a connection or poll a
 * task.
 */
class RequestWatch {
  kind: Tool['kind'] | undefined;
  sent: SentRequest | null = null;

  note(request: SentRequest): void {
    const calls = this.kind === 'http' || (this.kind === 'mcp' && isToolCall(request.body));
    if (calls) this.sent = request;
  }
}

function isToolCall(body: string | null): boolean {
  return body !== null && (JSON.parse(body) as { method?: unknown }).method === 'tools/call';
}

type Trying = {
  readonly tool: BoundTool;
  readonly loaded: LoadedAgent;
  readonly watch: RequestWatch;
  readonly bound: { readonly close: () => Promise<void> };
  readonly options: TrialOptions;
};

function trialOf(trying: Trying): ToolTrial {
  const { tool, loaded, watch, bound, options } = trying;
  const { metrics } = options;
  return {
    async run(input) {
      watch.kind = tool.kind;
      metrics.started(tool.kind);
      const startedAt = performance.now();
      const { ending, output } = await end(trying, JSON.stringify(input));
      metrics.stopped(tool.kind);
      const executionMs = performance.now() - startedAt;
      metrics.finished(tool.kind, { ending, executionMs: ending === 'refused' ? 0 : executionMs });
      const { sent } = watch;
      return {
        request: sent && masked(sent, [...loaded.secrets.values()]),
        ending,
        output: bounded(output),
        durationMs: Math.round(executionMs),
      };
    },
    close: bound.close,
  };
}

async function end(
  { tool, options }: Trying,
  text: string,
): Promise<Pick<TrialOutcome, 'ending' | 'output'>> {
  const { declaration, kind } = tool;
  const parsed = parseArguments(text, declaration.parameters);
  if (!parsed.ok) return { ending: 'refused', output: parsed.message };
  const call = openCall({ callId: 'try', name: declaration.name, arguments: text, position: 0 });
  const { signal } = new AbortController();
  const ran = await runTool(tool, { call, run: null, arguments: parsed.value, signal });
  switch (ran.kind) {
    case 'result':
      return { ending: ran.result.status, output: ran.result.output };
    case 'failed':
      return { ending: 'failed', output: ran.says };
    case 'timed_out':
      return { ending: 'timed_out', output: endings.timed_out };
    case 'broken':
    case 'interrupted':
    case 'suspended':
      options.report('tool failed', { call: call.id, kind, ...('err' in ran && { err: ran.err }) });
      return { ending: 'failed', output: endings.failed };
  }
}
