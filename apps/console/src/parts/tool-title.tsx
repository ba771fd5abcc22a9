import { useAgent } from '../api/agents.js';
import { humanized } from './arguments.js';

/** The tool's title; without one, its name as words. */
export function useToolTitle(agentId: string, name: string): string {
  const tools = useAgent(agentId)?.tools ?? [];
  const tool = tools.find((each) => 'name' in each && each.name === name);
  const title = tool && 'title' in tool ? tool.title : undefined;
  return typeof title === 'string' && title !== '' ? title : humanized(name);
}

export function ToolTitle({ agentId, name }: { readonly agentId: string; readonly name: string }) {
  return <bdi>{useToolTitle(agentId, name)}</bdi>;
}
