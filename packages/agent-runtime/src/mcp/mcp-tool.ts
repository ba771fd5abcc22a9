import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Egress } from '@parley/egress';
import {
  checkParameterSchema,
  hasBadCharacter,
  ownProperty,
  redactDeep,
  storable,
  type Redact,
  type Tool,
} from '@parley/protocol';
import { describeFetchFailure } from '../tools/fetch-failure.js';
import type { Allowance } from './mcp-answer.js';
import type { ListedTool } from './mcp-listing.js';
import type { McpServer } from './mcp-server.js';
import { namedForServer } from '../tools/named-arguments.js';
import { resultOf } from '../tools/result-text.js';
import { fillHeader } from '../tools/template-fill.js';
import { commonOf, ToolFailure, type BoundTool, type ToolResult } from '../tools/tool.js';

export type McpTool = Extract<Tool, { kind: 'mcp' }>;

/** A server that responded, and the tools that it listed. */
export type McpOffer = {
  readonly tool: McpTool;
  readonly listed: readonly ListedTool[];
  readonly server: McpServer;
  readonly redact: Redact;
};

export type McpReport = (details: { tool: string; reason: string }) => void;

const maxDescription = 1024;
const maxTitle = 200;
const tooSlow = 'it did not list its tools in time';
const tooLong =
  'the lists of all servers together are too long: allowedTools picks those that are needed';
const tooMany = 'it lists more tools than are looked at: allowedTools picks those that are needed';

/** What all servers of an agent share while they are queried. */
export type McpInquiry = {
  readonly egress: Egress;
  readonly secrets: ReadonlyMap<string, string>;
  readonly redact: Redact;
  readonly listing: Allowance;
  readonly signal: AbortSignal;
};

/** Asks a server for its tools. If it does not respond, this is reported, and it offers none. */
export async function askMcpServer(
  tool: McpTool,
  { egress, secrets, redact, listing, signal }: McpInquiry,
  report: McpReport,
): Promise<McpOffer | undefined> {
  if (listing.bytes < 0) {
    report({ tool: tool.name, reason: tooLong });
    return undefined;
  }
  let server: McpServer | undefined;
  try {
    // Its SDK takes long to load, and many processes never have to do with a server.
    const { mcpServer } = await import('./mcp-server.js');
    const headers = Object.fromEntries(
      Object.entries(tool.headers ?? {}).map(([name, value]) => [
        name,
        fillHeader(value, { arguments: {}, secrets }),
      ]),
    );
    server = mcpServer({ url: egress.check(tool.serverUrl).href, headers, egress, listing });
    const { tools: listed, more } = await server.list(tool.allowedTools, signal);
    if (more) report({ tool: tool.name, reason: tooMany });
    return { tool, listed: listed.map((one) => presentable(one, redact)), server, redact };
  } catch (error) {
    const failure = signal.aborted ? tooSlow : redact(describeFetchFailure(error));
    const reason = listing.bytes < 0 ? tooLong : failure;
    report({ tool: tool.name, reason });
    await server?.close();
    return undefined;
  }
}

/**
 * A server that was sent a secret may repeat it in its tools' descriptions, and a provider refuses
 * half of a surrogate pair. The name stays unchanged: the server is called with it.
 */
function presentable(listed: ListedTool, redact: Redact): ListedTool {
  const { name, ...described } = listed;
  const clean = (text: string) => storable(redact(text));
  return { ...(redactDeep(described, clean) as Omit<ListedTool, 'name'>), name };
}

/**
 * A server's tools under names that the model can call. Tools that cannot be called are reported;
 * the names of the others are added to `names`.
 */
export function bindMcpTools(offer: McpOffer, names: Set<string>, report: McpReport): BoundTool[] {
  const { tool } = offer;
  return offer.listed.flatMap((listed) => {
    const problem = problemOf(listed, offer);
    const name = problem === undefined ? freeName(tool.name, listed.name, names) : undefined;
    if (name === undefined) {
      const called = start(offer.redact(listed.name), 100);
      report({ tool: tool.name, reason: `${called}: ${problem ?? 'its name is taken'}` });
      return [];
    }
    names.add(name);
    return [bindOne(listed, name, offer)];
  });
}

function problemOf({ name, inputSchema }: ListedTool, { redact }: McpOffer): string | undefined {
  if (redact(name) !== name) return 'its name holds a secret';
  if (hasBadCharacter(name)) return 'its name holds NUL or half of a character';
  const problem = checkParameterSchema(inputSchema);
  return problem && `its schema ${problem.message}`;
}

/**
 * The server's name for the tool, in the characters that a function name allows; prefixed with the
 * server's name if it is taken.
 */
function freeName(server: string, name: string, taken: ReadonlySet<string>): string | undefined {
  const plain = name.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  return [plain, `${server}_${plain}`]
    .map((candidate) => candidate.slice(0, 64))
    .find((candidate) => candidate !== '' && !taken.has(candidate));
}

function bindOne(listed: ListedTool, name: string, { tool, server, redact }: McpOffer): BoundTool {
  const common = commonOf(tool);
  const { timeoutMs } = common;
  const policy =
    ownProperty(tool.approvalPolicy?.tools, listed.name) ?? tool.approvalPolicy?.default;
  const title = listed.title === undefined ? null : start(listed.title, maxTitle);
  const parameters = listed.inputSchema as Readonly<Record<string, unknown>>;
  return {
    ...common,
    kind: 'mcp',
    listedBy: { server: tool.name, name: listed.name },
    declaration: {
      name,
      description: start(listed.description ?? listed.title ?? '', maxDescription),
      parameters,
    },
    approvalRequired: policy === undefined ? common.approvalRequired : policy === 'always',
    face: { ...common.face, title: common.face.title ?? title },
    async run({ arguments: input, signal }) {
      try {
        const { asTask } = listed;
        const named = namedForServer(input, parameters);
        const result = await server.call(listed.name, named, { signal, timeoutMs, asTask });
        return resultFrom(result as CallToolResult, redact);
      } catch (error) {
        if (signal.aborted) throw error;
        if (error instanceof ToolFailure) throw new ToolFailure(redact(error.message));
        throw new ToolFailure(redact(failureText(error)));
      }
    },
  };
}

function start(text: string, length: number): string {
  return storable(text.slice(0, length));
}

/** A server's own error message is worth reading; transport errors are described in our words. */
function failureText(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'number' && code < 0 && error instanceof Error
    ? error.message
    : describeFetchFailure(error);
}

/**
 * A model reads text, and links to more of it; for any other content, it only gets a note that
 * there was some.
 */
function textOf(part: CallToolResult['content'][number]): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'resource_link') {
    const { uri, title, name, description } = part;
    return [`[resource] ${uri}`, title ?? name, description].filter(Boolean).join(' – ');
  }
  if (part.type === 'resource' && 'text' in part.resource) return part.resource.text;
  return `[${part.type}]`;
}

function resultFrom(result: CallToolResult, redact: Redact): ToolResult {
  const parts = result.content.map(textOf);
  const structured = result.structuredContent;
  const text = parts.length > 0 || !structured ? parts.join('\n') : JSON.stringify(structured);
  return { ...resultOf(redact(text)), status: result.isError === true ? 'failed' : 'succeeded' };
}
