import type { Tool } from '@parley/protocol';
import { bindTools } from '../tools/bind-tools.js';
import { loadAgent, type AgentSource } from '../load-agent.js';
import { inNoConversation, type TrialOptions } from '../tools/tool-trial.js';
import type { BoundTool } from '../tools/tool.js';

/** A tool of an MCP server, as shown to the person who sets up the agent. */
export type ServerTool = {
  readonly name: string;
  /**
   * The model uses another name if the server's is taken or contains characters that function names
   * do not allow.
   */
  readonly calledAs: string;
  readonly title: string | null;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly allowed: boolean;
  readonly approvalRequired: boolean;
};

export type ServerListing =
  | {
      readonly kind: 'listed';
      readonly tools: readonly ServerTool[];
      /**
       * Why there are fewer than the server has: it did not respond, or a tool cannot be called.
       */
      readonly problems: readonly string[];
    }
  | { readonly kind: 'no-agent' }
  | { readonly kind: 'no-server'; readonly servers: readonly string[] };

export type ServerListings = {
  readonly listServer: (
    organizationId: string,
    agentId: string,
    name: string,
  ) => Promise<ServerListing>;
};

/**
 * Lists the tools of an agent's server as a session would, including those that the agent may not
 * use.
 */
export function serverListings(
  options: AgentSource & Pick<TrialOptions, 'egress' | 'builtin'>,
): ServerListings {
  return {
    async listServer(organizationId, agentId, name) {
      const loaded = await loadAgent(options, organizationId, agentId);
      if (!loaded) return { kind: 'no-agent' };
      const server = loaded.tools.find((tool) => isServer(tool) && tool.name === name);
      if (!server || !isServer(server))
        return { kind: 'no-server', servers: loaded.tools.filter(isServer).map((one) => one.name) };
      const { allowedTools, ...unrestricted } = server;
      const tools = loaded.tools.map((tool) => (tool === server ? unrestricted : tool));
      const problems: string[] = [];
      const bound = await bindTools(
        { ...loaded, tools },
        {
          ...inNoConversation(organizationId),
          egress: options.egress,
          builtin: options.builtin,
          reportMcp: ({ tool, reason }) => {
            if (tool === name) problems.push(reason);
          },
        },
      );
      await bound.close();
      return { kind: 'listed', tools: toolsOf(bound.tools.values(), name, allowedTools), problems };
    },
  };
}

type Server = Extract<Tool, { kind: 'mcp' }>;

const isServer = (tool: Tool): tool is Server => tool.kind === 'mcp';

function toolsOf(
  bound: Iterable<BoundTool>,
  server: string,
  allowedTools: readonly string[] | undefined,
): ServerTool[] {
  return [...bound].flatMap(({ declaration, listedBy, face, approvalRequired }) => {
    if (listedBy?.server !== server) return [];
    const { name } = listedBy;
    return {
      name,
      calledAs: declaration.name,
      title: face.title,
      description: declaration.description,
      parameters: declaration.parameters ?? {},
      allowed: allowedTools?.includes(name) ?? true,
      approvalRequired,
    };
  });
}
