import { builtinTools, type Tool } from '@parley/protocol';
import type { ToolDeclaration } from '../core/session.js';

const question = {
  type: 'object',
  properties: { question: { type: 'string', description: 'What to ask, in full sentences.' } },
  required: ['question'],
};

/** An agent's tools as the model is told of them. What an MCP server offers is known only to that server. */
export function backendTools(tools: readonly Tool[]): ToolDeclaration[] {
  return tools.flatMap((tool): ToolDeclaration[] => {
    const { name } = tool;
    switch (tool.kind) {
      case 'http': {
        const { description, parameters } = tool;
        return [{ name, description, ...(parameters && { parameters }) }];
      }
      case 'subagent':
        return [{ name, description: tool.description ?? '', parameters: question }];
      case 'builtin':
        return [{ name, description: tool.description ?? builtinTools[tool.name] }];
      case 'mcp':
        return [];
    }
  });
}
