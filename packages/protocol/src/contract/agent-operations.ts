import { Type } from '@sinclair/typebox';
import {
  Agent,
  AgentInput,
  AgentPage,
  AgentPatch,
  AgentQuery,
  ChangedAgent,
} from '../schemas/agent.js';
import { toolNamePattern } from '../schemas/tool.js';
import { ServerTools } from '../schemas/server-tools.js';
import { ToolTrial, ToolTrialInput } from '../schemas/tool-trial.js';
import type { Operation } from './operation.js';

export const agentOperations = {
  listAgents: {
    method: 'get',
    path: '/Agent',
    tag: 'Agent',
    summary: 'List agents, oldest first',
    description:
      'Returns a page of the organization’s agents, without the values of their secrets.',
    scope: 'agents',
    query: AgentQuery,
    success: { status: 200, schema: AgentPage },
    problems: [],
  },
  createAgent: {
    method: 'post',
    path: '/Agent',
    tag: 'Agent',
    summary: 'Create an agent',
    description:
      'You can talk to the agent immediately: in text with `askQuestion`, by voice with `createRealtimeSession`.',
    scope: 'agents',
    body: AgentInput,
    success: { status: 201, schema: Agent, etag: true },
    problems: ['quota-reached'],
  },
  getAgent: {
    method: 'get',
    path: '/Agent/{agentId}',
    tag: 'Agent',
    summary: 'Read an agent',
    description:
      'Returns the agent, with the names but not the values of its secrets. Send the ETag of the response as If-Match to guard a later change.',
    scope: 'agents',
    success: { status: 200, schema: Agent, etag: true },
    problems: [],
  },
  replaceAgent: {
    method: 'put',
    path: '/Agent/{agentId}',
    tag: 'Agent',
    summary: 'Replace an agent; omitted fields take their defaults, secrets are kept',
    description:
      'Replaces the agent with the body. Open sessions keep the version they started with. With If-Match, only if nobody else has changed it.',
    scope: 'agents',
    body: AgentInput,
    ifMatch: true,
    success: { status: 200, schema: ChangedAgent, etag: true },
    problems: ['quota-reached'],
  },
  updateAgent: {
    method: 'patch',
    path: '/Agent/{agentId}',
    tag: 'Agent',
    summary: 'Change the given fields of an agent',
    description:
      'Fields that are not in the body keep their values; `tools` is replaced as a whole. Open sessions keep the version they started with. With If-Match, only if nobody else has changed it.',
    scope: 'agents',
    body: AgentPatch,
    ifMatch: true,
    success: { status: 200, schema: ChangedAgent, etag: true },
    problems: ['quota-reached'],
  },
  deleteAgent: {
    method: 'delete',
    path: '/Agent/{agentId}',
    tag: 'Agent',
    summary: 'Delete an agent and its secrets; its conversations are kept',
    description:
      'Open sessions of the agent end. An agent that another one uses as a sub-agent cannot be deleted. With If-Match, only if nobody else has changed it.',
    scope: 'agents',
    ifMatch: true,
    success: { status: 204 },
    problems: ['conflict'],
  },
  tryTool: {
    method: 'post',
    path: '/Agent/{agentId}/tool/{name}/try',
    tag: 'Agent',
    summary: 'Run one of an agent’s tools with your own arguments',
    description:
      'Runs the tool as if the model had called it, with the same limits; failures are returned as its result. The tool really runs: a request is sent, a task is created. There is no conversation, and a tool that needs approval runs immediately, because the caller is allowed to change the agent. The audit log records who tried which tool. For a tool of an MCP server, use the name that the model knows it by. Sub-agents and client tools cannot be tried: ask a sub-agent with `askQuestion`; client tools run in the client.',
    scope: 'agents',
    furtherScopes: ['questions'],
    params: {
      name: Type.String({
        pattern: toolNamePattern,
        description: 'The tool’s name, as the model knows it.',
      }),
    },
    body: ToolTrialInput,
    bodyOptional: true,
    success: { status: 200, schema: ToolTrial },
    problems: ['conflict'],
  },
  listServerTools: {
    method: 'get',
    path: '/Agent/{agentId}/tool/{serverName}/listing',
    tag: 'Agent',
    summary: 'List the tools that an MCP server of an agent offers now',
    description:
      'Parley asks the server as it does when a session begins, and lists the tools that the agent may not use as well. A server that does not answer has an empty list, and `problems` says why.',
    scope: 'agents',
    role: 'editor',
    params: {
      serverName: Type.String({
        pattern: toolNamePattern,
        description: 'The name of the agent’s tool of kind `mcp`.',
      }),
    },
    success: { status: 200, schema: ServerTools },
    problems: [],
  },
} as const satisfies Record<string, Operation>;
