import { LiveRealtimeSessionPage, LiveSessionQuery } from '../schemas/live-session.js';
import { RealtimeSessionRequest, RealtimeSessionResponse } from '../schemas/realtime-session.js';
import type { Operation } from './operation.js';

export const realtimeOperations = {
  createRealtimeSession: {
    method: 'post',
    path: '/Agent/{agentId}/realtime-session',
    tag: 'Realtime',
    summary: 'Create a one-time, short-lived realtime session',
    description:
      'Returns a one-time token and the path of the WebSocket to open with it. Pass both to the end user’s client, never your API key. The body can be omitted.',
    scope: 'realtime',
    rateLimit: 'sessions',
    body: RealtimeSessionRequest,
    bodyOptional: true,
    success: { status: 200, schema: RealtimeSessionResponse },
    problems: ['quota-reached'],
    realtimeErrors: [
      'RealtimeNotEnabled',
      'RealtimeUnsupportedConnection',
      'RealtimeUnsupportedModel',
      'RealtimeAudioFormatUnsupported',
    ],
  },
  listRealtimeSessions: {
    method: 'get',
    path: '/RealtimeSession',
    tag: 'Realtime',
    summary: 'List the open sessions of every instance, oldest first',
    description: 'Returns a page of the sessions whose WebSocket is open.',
    scope: 'realtime',
    query: LiveSessionQuery,
    success: { status: 200, schema: LiveRealtimeSessionPage },
    problems: ['query-invalid'],
  },
  endRealtimeSession: {
    method: 'delete',
    path: '/RealtimeSession/{sessionId}',
    tag: 'Realtime',
    summary: 'End an open session, whichever instance holds it; its WebSocket is closed with 4412',
    description:
      'Running tools of the session are cancelled. If the session has already ended, the response is 404.',
    scope: 'realtime',
    success: { status: 204 },
    problems: [],
  },
} as const satisfies Record<string, Operation>;
