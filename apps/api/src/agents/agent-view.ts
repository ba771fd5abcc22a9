import type { AgentFields, AgentRecord } from '@parley/database';
import { AgentInput, withDefaults, type Agent, type Tool } from '@parley/protocol';

/**
 * The stored agent in the API's format. A model that was never chosen is the deployment's current
 * one.
 */
export function agentView(record: AgentRecord, defaultModel: string): Agent {
  return {
    ...record,
    tools: record.tools as Tool[],
    model: record.model ?? defaultModel,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}

export function newAgentFields(input: AgentInput): AgentFields {
  const { secrets, ...fields } = withDefaults(AgentInput, input) as Required<AgentInput>;
  return { ...fields, tools: fields.tools.map(normalTool) };
}

export function changedAgentFields(record: AgentRecord, patch: Partial<AgentInput>): AgentFields {
  const { id, secretNames, version, createdAt, updatedAt, ...before } = record;
  const { secrets, ...changes } = patch;
  const tools = changes.tools?.map(normalTool) ?? before.tools;
  return { ...before, ...changes, tools };
}

/** Ids inside `tools` are compared as text, so they are stored in one spelling. */
function normalTool(tool: Tool): Tool {
  return tool.kind === 'subagent' ? { ...tool, agentId: tool.agentId.toLowerCase() } : tool;
}
