import {
  ChangedConnection,
  Connection,
  ConnectionInput,
  ConnectionPage,
  ConnectionPatch,
  ConnectionTest,
} from '../schemas/connection.js';
import { PageQuery } from '../schemas/page.js';
import type { Operation } from './operation.js';

export const connectionOperations = {
  listConnections: {
    method: 'get',
    path: '/Connection',
    tag: 'Connection',
    summary: 'List provider connections, oldest first',
    description: 'Returns a page of the organization’s connections, without their secrets.',
    scope: 'connections',
    query: PageQuery,
    success: { status: 200, schema: ConnectionPage },
    problems: [],
  },
  createConnection: {
    method: 'post',
    path: '/Connection',
    tag: 'Connection',
    summary: 'Create a provider connection',
    description:
      'Agents reference a connection by its id; without one, they use the deployment’s default.',
    scope: 'connections',
    body: ConnectionInput,
    success: { status: 201, schema: Connection },
    problems: [],
  },
  getConnection: {
    method: 'get',
    path: '/Connection/{connectionId}',
    tag: 'Connection',
    summary: 'Read a provider connection',
    description:
      'Returns the connection, without its secret; `hasSecret` says whether there is one.',
    scope: 'connections',
    success: { status: 200, schema: Connection },
    problems: [],
  },
  updateConnection: {
    method: 'patch',
    path: '/Connection/{connectionId}',
    tag: 'Connection',
    summary:
      'Change the given fields of a connection; a baseUrl with another origin drops the secret unless it is sent again',
    description:
      'Fields that are not in the body keep their values. The kind of a connection cannot be changed.',
    scope: 'connections',
    body: ConnectionPatch,
    success: { status: 200, schema: ChangedConnection },
    problems: [],
  },
  deleteConnection: {
    method: 'delete',
    path: '/Connection/{connectionId}',
    tag: 'Connection',
    summary: 'Delete a connection that no agent uses',
    description: 'Its secret is deleted with it.',
    scope: 'connections',
    success: { status: 204 },
    problems: ['conflict'],
  },
  testConnection: {
    method: 'post',
    path: '/Connection/{connectionId}/test',
    tag: 'Connection',
    summary: 'Test whether the provider accepts a connection',
    description:
      'A realtime connection opens a session and closes it before anything is said, which costs nothing; any other connection lists the provider’s models. You can also test a disabled connection. Failures, such as a wrong key or an unreachable address, are returned with `ok` false.',
    scope: 'connections',
    success: { status: 200, schema: ConnectionTest },
    problems: [],
  },
} as const satisfies Record<string, Operation>;
