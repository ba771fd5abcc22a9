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
      'A page of the organization’s agents, with everything but the values of their secrets.',
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
      'The agent can be talked to at once: in text with `askQuestion`, by voice with `createRealtimeSession`.',
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
      'Everything about an agent but the values of its secrets, of which it tells the names. The ETag of the answer guards a later change with If-Match.',
    scope: 'agents',
    success: { status: 200, schema: Agent, etag: true },
    problems: [],
  },
  replaceAgent: {
    method: 'put',
    path: '/Agent/{agentId}',
    tag: 'Agent',
    summary: 'Replace an agent; fields left out take their defaults, secrets stay',
    description:
      'The agent becomes what the body says. Sessions that are open go on with what they began with. With If-Match, only if nobody else has changed it.',
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
      'Fields that the body does not name stay as they are; `tools` is replaced as a whole. Sessions that are open go on with what they began with. With If-Match, only if nobody else has changed it.',
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
    summary: 'Delete an agent and its secrets; its conversations stay',
    description:
      'Open sessions of the agent end. An agent that another one asks as a sub-agent cannot be deleted. With If-Match, only if nobody else has changed it.',
    scope: 'agents',
    ifMatch: true,
    success: { status: 204 },
    problems: ['conflict'],
  },
  tryTool: {
    method: 'post',
    path: '/Agent/{agentId}/tool/{name}/try',
    tag: 'Agent',
    summary: 'Run one tool of an agent with arguments of your own',
    description:
      'The tool is run as a call of the model runs it, with the same limits, and whatever goes wrong is its result. It really happens: a request is sent, a task is created. There is no conversation, and a tool that needs approval is run at once, since whoever asks is a person who may change the agent. The audit log tells who tried which tool. Name a tool of an MCP server as the model is offered it. A sub-agent is asked with `askQuestion`, and a client tool is run by its client: neither can be tried.',
    scope: 'agents',
    furtherScopes: ['questions'],
    params: {
      name: Type.String({
        pattern: toolNamePattern,
        description: 'The tool’s name, as the model calls it.',
      }),
    },
    body: ToolTrialInput,
    bodyOptional: true,
    success: { status: 200, schema: ToolTrial },
    problems: ['conflict'],
  },
  listServerTools: {
    method: 'get',
    path: '/Agent/{agentId}/tool/{name}/listing',
    tag: 'Agent',
    summary: 'List the tools that an MCP server of an agent offers now',
    description:
      'Parley asks the server as it does when a session begins, and lists the tools that the agent may not use as well. A server that does not answer has an empty list, and `problems` says why.',
    scope: 'agents',
    role: 'editor',
    params: {
      name: Type.String({
        pattern: toolNamePattern,
        description: 'The name of the agent’s tool of kind `mcp`.',
      }),
    },
    success: { status: 200, schema: ServerTools },
    problems: [],
  },
} as const satisfies Record<string, Operation>;
