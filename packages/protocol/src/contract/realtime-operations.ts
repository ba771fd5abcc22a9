import { RealtimeSessionRequest, RealtimeSessionResponse } from '../schemas/realtime-session.js';
import type { Operation } from './operation.js';

export const realtimeOperations = {
  createRealtimeSession: {
    method: 'post',
    path: '/Agent/{agentId}/realtime-session',
    tag: 'Realtime',
    summary: 'Create a one-time, short-lived realtime session',
    scope: 'realtime',
    rateLimit: 'sessions',
    body: RealtimeSessionRequest,
    bodyOptional: true,
    success: { status: 200, schema: RealtimeSessionResponse },
    problems: [],
    realtimeErrors: [
      'RealtimeNotEnabled',
      'RealtimeUnsupportedConnection',
      'RealtimeUnsupportedModel',
      'RealtimeAudioFormatUnsupported',
    ],
  },
} as const satisfies Record<string, Operation>;
