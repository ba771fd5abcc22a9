import type { BuiltinTool } from '@parley/client/server';
import { own, textOf, type Json } from './json.js';

export const kindLabels: Readonly<Record<string, string>> = {
  http: 'HTTP',
  mcp: 'MCP server',
  subagent: 'Sub-agent',
  builtin: 'Built-in',
};

/** The built-in tools and their descriptions. */
const builtins: Readonly<Record<BuiltinTool['name'], string>> = {
  create_task: 'Create a task for a person to do.',
  update_task: 'Change a task: its title, description, status or due date.',
  current_time: 'Tell the current date and time, optionally in a given time zone.',
  search_conversation: 'Search what was said earlier in this conversation.',
};
export const builtinTools: Readonly<Record<string, string>> = builtins;

export type ToolSummary = {
  readonly kind: string;
  readonly name: string;
  readonly about: string;
  /** Its target: "GET api.example.com", or another agent. */
  readonly target: string;
  readonly approval: string | undefined;
};

/** What a card shows of a tool. */
export function summaryOf(tool: Json, agentName: (id: string) => string | undefined): ToolSummary {
  const kind = textOf(tool.kind) ?? '';
  const name = textOf(tool.name) ?? '';
  return {
    kind: own(kindLabels, kind) ?? 'Unknown kind',
    name: name === '' ? 'Unnamed tool' : name,
    about: textOf(tool.description) ?? (kind === 'builtin' ? (own(builtinTools, name) ?? '') : ''),
    target: targetOf(kind, tool, agentName),
    approval: approvalOf(kind, tool),
  };
}

function targetOf(kind: string, tool: Json, agentName: (id: string) => string | undefined): string {
  if (kind === 'http')
    return `${textOf(tool.method) ?? ''} ${hostOf(textOf(tool.url) ?? '')}`.trim();
  if (kind === 'mcp') return hostOf(textOf(tool.serverUrl) ?? '');
  const id = textOf(tool.agentId) ?? '';
  return kind === 'subagent' ? (agentName(id) ?? id) : '';
}

/** Who decides; undefined if no approval is needed. */
function approvalOf(kind: string, tool: Json): string | undefined {
  const policy = kind === 'mcp' ? (tool.approvalPolicy as Json | undefined) : undefined;
  const single = Object.values((policy?.tools as Json | undefined) ?? {}).includes('always');
  if (
    policy?.default === 'never' ||
    (policy?.default === undefined && tool.approvalRequired !== true)
  )
    return single ? 'Some need approval' : undefined;
  const approvers = tool.approvers;
  const [only] = Array.isArray(approvers) && approvers.length === 1 ? (approvers as unknown[]) : [];
  if (only === 'client') return 'The caller approves';
  return only === 'api' ? 'Your team approves' : 'Needs approval';
}

/** The host of a URL, which may have templates after it. */
export function hostOf(url: string): string {
  const [, host = url] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? [];
  return host;
}
