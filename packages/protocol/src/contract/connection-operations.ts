import {
  ChangedConnection,
  Connection,
  ConnectionInput,
  ConnectionPage,
  ConnectionPatch,
} from '../schemas/connection.js';
import { PageQuery } from '../schemas/page.js';
import type { Operation } from './operation.js';

export const connectionOperations = {
  listConnections: {
    method: 'get',
    path: '/Connection',
    tag: 'Connection',
    summary: 'List provider connections, oldest first',
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
    scope: 'connections',
    success: { status: 200, schema: Connection },
    problems: [],
  },
  updateConnection: {
    method: 'patch',
    path: '/Connection/{connectionId}',
    tag: 'Connection',
    summary:
      'Change the given fields of a connection; a baseUrl of another origin drops the secret unless it is sent again',
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
    scope: 'connections',
    success: { status: 204 },
    problems: ['conflict'],
  },
} as const satisfies Record<string, Operation>;
