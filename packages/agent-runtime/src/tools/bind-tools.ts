import pLimit from 'p-limit';
import type { Egress } from '@parley/egress';
import { bindBuiltinTool, type BuiltinPorts } from './builtin-tools.js';
import type { ToolPlace } from '../calls/call.js';
import { deadline } from '../deadline.js';
import { bindHttpTool } from './http-tool.js';
import type { LoadedAgent } from '../load-agent.js';
import { askMcpServer, bindMcpTools, type McpReport } from '../mcp/mcp-tool.js';
import { bindSubagentTool, type SubagentPorts } from './subagent-tool.js';
import type { BoundTool } from './tool.js';

export type BindPorts = {
  readonly egress: Egress;
  readonly place: ToolPlace;
  readonly ancestors: readonly string[];
  readonly emit: (event: string) => void;
  readonly reservedNames: readonly string[];
  readonly builtin: BuiltinPorts;
  readonly answerAs: SubagentPorts['answer'];
  readonly reportMcp: McpReport;
  /** Fires when nobody needs the tools any more: listing them then stops. */
  readonly abandoned?: AbortSignal | undefined;
};

export type BoundTools = {
  readonly tools: ReadonlyMap<string, BoundTool>;
  readonly close: () => Promise<void>;
};

/** Limits for listing the tools of all MCP servers of an agent. */
const listingLimits = { milliseconds: 5000, bytes: 2 * 1024 * 1024, together: 8 } as const;

/**
 * All of an agent's tools, by the names that the model uses. MCP servers' tools come last and yield
 * their names to the others.
 */
export async function bindTools(loaded: LoadedAgent, ports: BindPorts): Promise<BoundTools> {
  const own = loaded.tools.flatMap((tool) => bindOwn(tool, loaded, ports));
  const servers = loaded.tools.filter((tool) => tool.kind === 'mcp');
  if (servers.length === 0) return { tools: named(own), close: () => Promise.resolve() };
  const { egress, reportMcp, abandoned } = ports;
  const tooLate = deadline(listingLimits.milliseconds);
  const inquiry = {
    egress,
    secrets: loaded.secrets,
    redact: loaded.redact,
    listing: { bytes: listingLimits.bytes },
    signal: abandoned ? AbortSignal.any([tooLate, abandoned]) : tooLate,
  };
  const asked = await pLimit(listingLimits.together).map(servers, (tool) =>
    askMcpServer(tool, inquiry, reportMcp),
  );
  const offers = asked.filter((offer) => offer !== undefined);
  const names = new Set([
    ...ports.reservedNames,
    ...own.map(({ declaration }) => declaration.name),
  ]);
  const offered = offers.flatMap((offer) => bindMcpTools(offer, names, reportMcp));
  return {
    tools: named([...own, ...offered]),
    async close() {
      await Promise.all(offers.map(({ server }) => server.close()));
    },
  };
}

function named(tools: readonly BoundTool[]): ReadonlyMap<string, BoundTool> {
  return new Map(tools.map((tool) => [tool.declaration.name, tool]));
}

function bindOwn(
  tool: LoadedAgent['tools'][number],
  { agent, secrets, redact, subagents }: LoadedAgent,
  ports: BindPorts,
): BoundTool[] {
  const { egress, place, ancestors, emit, answerAs: answer } = ports;
  switch (tool.kind) {
    case 'http':
      return [bindHttpTool(tool, { egress, secrets, redact })];
    case 'subagent': {
      const asked = subagents.get(tool.agentId);
      return [bindSubagentTool(tool, { agent: asked, ancestors, emit, answer })];
    }
    case 'builtin':
      return [bindBuiltinTool(tool, { place, agent }, ports.builtin)];
    case 'mcp':
      return [];
  }
}
