import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { requestWithin } from './mcp-request.js';

const maxPages = 100;
const maxTools = 256;

/** A tool as its server describes it, as far as that can be parsed. */
export type ListedTool = {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly inputSchema: unknown;
  /** The server only runs it as a task. */
  readonly asTask: boolean;
};

export type Listing = {
  readonly tools: readonly ListedTool[];
  /** There were more, which were not read. */
  readonly more: boolean;
};

/**
 * Reads a server's list page by page until it has everything wanted. The SDK's own reading is all
 * or nothing: here, an invalid description of one tool does not affect the others.
 */
export async function listTools(
  client: Client,
  { wanted, signal }: { wanted: readonly string[] | undefined; signal: AbortSignal },
): Promise<Listing> {
  const missing = wanted && new Set(wanted);
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const reply = await requestWithin(signal, (own) =>
      client.request({ method: 'tools/list', params }, ResultSchema, { signal: own }),
    );
    for (const tool of listedIn(reply['tools']))
      if (missing?.delete(tool.name) ?? true) tools.push(tool);
    cursor = textOf(reply['nextCursor']);
    if (tools.length > maxTools) break;
    if (cursor === undefined || missing?.size === 0) return { tools, more: false };
  }
  return { tools: tools.slice(0, maxTools), more: true };
}

function listedIn(tools: unknown): ListedTool[] {
  if (!Array.isArray(tools)) return [];
  return (tools as unknown[]).flatMap((tool) => {
    if (typeof tool !== 'object' || tool === null) return [];
    const { name, title, description, inputSchema, execution } = tool as Record<string, unknown>;
    if (typeof name !== 'string') return [];
    const asTask = isTask(execution);
    return [{ name, title: textOf(title), description: textOf(description), inputSchema, asTask }];
  });
}

function isTask(execution: unknown): boolean {
  if (typeof execution !== 'object' || execution === null) return false;
  return 'taskSupport' in execution && execution.taskSupport === 'required';
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
