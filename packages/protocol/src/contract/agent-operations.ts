import { Agent, AgentInput, AgentPage, AgentPatch, ChangedAgent } from '../schemas/agent.js';
import { PageQuery } from '../schemas/page.js';
import type { Operation } from './operation.js';

export const agentOperations = {
  listAgents: {
    method: 'get',
    path: '/Agent',
    tag: 'Agent',
    summary: 'List agents, oldest first',
    scope: 'agents',
    query: PageQuery,
    success: { status: 200, schema: AgentPage },
    problems: [],
  },
  createAgent: {
    method: 'post',
    path: '/Agent',
    tag: 'Agent',
    summary: 'Create an agent',
    scope: 'agents',
    body: AgentInput,
    success: { status: 201, schema: Agent },
    problems: ['quota-reached'],
  },
  getAgent: {
    method: 'get',
    path: '/Agent/{agentId}',
    tag: 'Agent',
    summary: 'Read an agent',
    scope: 'agents',
    success: { status: 200, schema: Agent },
    problems: [],
  },
  replaceAgent: {
    method: 'put',
    path: '/Agent/{agentId}',
    tag: 'Agent',
    summary: 'Replace an agent; fields left out take their defaults, secrets stay',
    scope: 'agents',
    body: AgentInput,
    success: { status: 200, schema: ChangedAgent },
    problems: ['quota-reached'],
  },
  updateAgent: {
    method: 'patch',
    path: '/Agent/{agentId}',
    tag: 'Agent',
    summary: 'Change the given fields of an agent',
    scope: 'agents',
    body: AgentPatch,
    success: { status: 200, schema: ChangedAgent },
    problems: ['quota-reached'],
  },
  deleteAgent: {
    method: 'delete',
    path: '/Agent/{agentId}',
    tag: 'Agent',
    summary: 'Delete an agent and its secrets; its conversations stay',
    scope: 'agents',
    success: { status: 204 },
    problems: ['conflict'],
  },
} as const satisfies Record<string, Operation>;
