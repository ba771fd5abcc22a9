import { Type } from '@sinclair/typebox';
import type { ProblemCode } from '../errors.js';
import type { RealtimeErrorCode } from '../realtime-errors.js';
import { Uuid } from '../schemas/text.js';
import { sessionTokenExample } from './account-examples.js';
import { pathExamples } from './examples.js';
import { inline } from './plain-schema.js';
import { earlyProblems } from './problems-of.js';
import { refusalResponses } from './responses.js';

export const realtimeSocketPath = '/Agent/{agentId}/realtime';

const problems: ProblemCode[] = [
  ...earlyProblems,
  'origin-forbidden',
  'upgrade-required',
  'rate-limited',
  'quota-reached',
  'service-unavailable',
];
const realtimeErrors: RealtimeErrorCode[] = [
  'RealtimeSessionInvalid',
  'RealtimeSessionExpired',
  'RealtimeSessionAlreadyUsed',
  'RealtimeUnsupportedConnection',
];

/** The HTTP part of the WebSocket; its messages are in the AsyncAPI document. */
export const realtimeSocket = {
  operationId: 'openRealtimeSession',
  tags: ['Realtime'],
  summary: 'Open a realtime session as a WebSocket',
  description: [
    'A WebSocket handshake with the one-time token that `createRealtimeSession` returned; its `webSocketPath` is this path with all parameters. Do not send an API key here. The first handshake that presents the token uses it up.',
    'The events on the socket are described in [/api/v1/asyncapi.json](/api/v1/asyncapi.json).',
  ].join('\n\n'),
  security: [],
  parameters: [
    {
      name: 'agentId',
      in: 'path',
      required: true,
      description: 'The agent that the session was created for.',
      schema: inline(Uuid()),
      example: pathExamples.id,
    },
    {
      name: 'conversationId',
      in: 'query',
      required: true,
      description: 'The conversation that session creation returned.',
      schema: inline(Uuid()),
      example: pathExamples.id,
    },
    {
      name: 'sessionId',
      in: 'query',
      description: 'The one-time token. Required unless the client resumes a session.',
      schema: inline(Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' })),
      example: sessionTokenExample,
    },
    {
      name: 'resume',
      in: 'query',
      description:
        'In place of `sessionId`, to continue a resumable session: the token in the `resumePath` of `session.resumable`.',
      schema: inline(Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' })),
    },
    {
      name: 'received',
      in: 'query',
      description:
        'Required with `resume`: how many messages the client has received in this session, on all its connections. `session.resumable`, `session.resumed`, `session.acknowledged` and `session.moving` do not count.',
      schema: inline(Type.Integer({ minimum: 0 })),
    },
    {
      name: 'errors',
      in: 'query',
      description:
        '`close`: the handshake succeeds, and a refusal is reported on the socket before it is closed. Browsers cannot read a refused handshake.',
      schema: { type: 'string', enum: ['close'] },
    },
  ],
  responses: {
    '101': {
      description: 'The session is open: the connection is a WebSocket from here on.',
      headers: Object.fromEntries(
        ['Upgrade', 'Connection', 'Sec-WebSocket-Accept'].map((name) => [
          name,
          { schema: { type: 'string' } },
        ]),
      ),
    },
    ...refusalResponses({ problems, realtimeErrors }),
  },
};
