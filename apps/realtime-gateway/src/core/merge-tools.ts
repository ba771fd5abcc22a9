import {
  checkParameterSchema,
  ClientTool,
  clientToolLimits,
  isObject,
  sameJson,
  validatorOf,
} from '@parley/protocol';
import type { SessionState, ToolDeclaration } from './session.js';
import { declaration } from './session-update.js';

export type MergedTools = {
  /** Undefined leaves the client's tools unchanged. */
  readonly tools?: readonly ToolDeclaration[];
  /** What was not taken: all tools, or some by their index. */
  readonly left: readonly string[];
};

const checkShape = validatorOf(ClientTool);

/**
 * The functions that a client requests become its own tools, under the same rules as those that a
 * session is created with.
 */
export function mergeTools({ settings }: SessionState, asked: unknown): MergedTools {
  const { backendTools = [] } = settings;
  const most = clientToolLimits.perSession;
  const none = { left: ['tools'] };
  if (!Array.isArray(asked) || asked.length > most + backendTools.length) return none;
  const backend = new Map(backendTools.map((tool) => [tool.name, tool]));
  const tools = new Map<string, ToolDeclaration>();
  const left: string[] = [];
  for (const [index, entry] of (asked as unknown[]).entries()) {
    const tool = toolIn(entry);
    const own = tool && backend.get(tool.name);
    if (tool && !own && !tools.has(tool.name)) tools.set(tool.name, tool);
    else if (!own || !isSame(own, tool)) left.push(`tools[${index}]`);
  }
  const others = settings.clientTools.filter(({ name }) => !tools.has(name));
  if (others.length + tools.size > most) return none;
  return { tools: [...tools.values()], left };
}

/** Drops all other keys of a declaration, which the provider would refuse. */
function toolIn(entry: unknown): ToolDeclaration | undefined {
  if (!isObject(entry) || entry['type'] !== 'function') return undefined;
  // OpenAI does not require a description.
  const { name, description = name, parameters } = entry;
  const checked = checkShape({ name, description, ...(parameters != null && { parameters }) });
  if (!checked.ok) return undefined;
  const tool = checked.value as ToolDeclaration;
  return tool.parameters && checkParameterSchema(tool.parameters) ? undefined : tool;
}

function isSame(one: ToolDeclaration, other: ToolDeclaration): boolean {
  return sameJson(declaration(one), declaration(other));
}
