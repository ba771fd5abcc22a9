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
    description: 'A page of the organization’s connections. Their secrets are never shown.',
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
    description: 'Agents name a connection by its id; without one they use the deployment’s own.',
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
      'Everything about a connection but its secret, of which it tells whether there is one.',
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
    description:
      'Fields that the body does not name stay as they are. The kind of a connection cannot be changed.',
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
    summary: 'Find out whether the provider lets a connection in',
    description:
      'A connection for realtime opens a session, and leaves before anything is said in it, which costs nothing; any other one lists the provider’s models. A connection that is switched off can be tested, too. What goes wrong, a wrong key or an address that is not there, is the answer: `ok` is false.',
    scope: 'connections',
    success: { status: 200, schema: ConnectionTest },
    problems: [],
  },
} as const satisfies Record<string, Operation>;
