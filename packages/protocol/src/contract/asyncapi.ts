import { Type, type TSchema } from '@sinclair/typebox';
import { closeCodes, type CloseName } from '../close-codes.js';
import { realtimeErrors } from '../realtime-errors.js';
import { refusals, shortfalls } from '../events.js';
import { uuidPattern } from '../ids.js';
import { tags } from './operation.js';
import { clientEvents, clientRoutes, type ClientRoute } from '../realtime/client-events.js';
import { customEvents } from '../realtime/custom-events.js';
import { providerEvents, providerRoutes, type ProviderRoute } from '../realtime/provider-events.js';

export type AsyncApiDocument = { asyncapi: string } & Record<string, unknown>;

/**
 * The WebSocket of a realtime session as AsyncAPI 3: what a client may send, and what it receives.
 */
export function asyncApiDocument(version: string): AsyncApiDocument {
  const receives = Object.entries(clientEvents).map(([type, route]) => clientMessage(type, route));
  const sends = [
    ...Object.entries(customEvents).map(([type, { doc, data }]) => customMessage(type, doc, data)),
    errorMessage(),
    ...Object.entries(providerEvents)
      .filter(([type]) => type !== 'error')
      .map(([type, route]) => providerMessage(type, route)),
  ];
  const messages = Object.fromEntries([...receives, ...sends].map((each) => [each.name, each]));
  return {
    asyncapi: '3.1.0',
    info: {
      title: 'Parley realtime session',
      version,
      contact: { name: 'The operator of this deployment' },
      license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
      tags: [{ name: 'Realtime', description: tags.Realtime }],
      description:
        'Open it with the webSocketPath of POST /api/v1/Agent/{agentId}/realtime-session. Text frames are JSON, distinguished by `type`. Provider events are forwarded unchanged; events of the service have `type` and `data`.',
    },
    channels: { session: channel(Object.keys(messages)) },
    operations: {
      receive: {
        ...operation('receive'),
        description: 'What a client can send: events of the provider’s protocol, and decisions.',
        messages: receives.map(inChannel),
      },
      send: {
        ...operation('send'),
        description: 'What a client receives: the provider’s events, and those of the service.',
        messages: sends.map(inChannel),
      },
    },
    components: { messages, securitySchemes: { token } },
    'x-closeCodes': closeCodeList(),
  };
}

const token = {
  type: 'httpApiKey',
  in: 'query',
  name: 'sessionId',
  description: 'The one-time token of the session. No API key is sent on the socket.',
};

function operation(action: 'receive' | 'send'): object {
  const security = [{ $ref: '#/components/securitySchemes/token' }];
  return { action, channel: { $ref: '#/channels/session' }, security };
}

type Message = { name: string; summary: string; payload: object };

function inChannel({ name }: Message): object {
  return { $ref: `#/channels/session/messages/${name}` };
}

function channel(names: readonly string[]): object {
  const uuid = { type: 'string', format: 'uuid', pattern: uuidPattern };
  return {
    address: '/api/v1/Agent/{agentId}/realtime',
    parameters: { agentId: { description: 'The agent that the session was created for.' } },
    bindings: {
      ws: {
        method: 'GET',
        query: {
          type: 'object',
          required: ['conversationId'],
          anyOf: [{ required: ['sessionId'] }, { required: ['resume', 'received'] }],
          properties: {
            conversationId: uuid,
            sessionId: { type: 'string', description: 'The one-time token.' },
            resume: { type: 'string', description: 'The token of a session to continue.' },
            received: {
              type: 'integer',
              minimum: 0,
              description: 'How many messages the client has received in that session.',
            },
            errors: {
              type: 'string',
              enum: ['close'],
              description: 'Report refusals on the socket, for browsers.',
            },
          },
        },
      },
    },
    messages: Object.fromEntries(
      names.map((name) => [name, { $ref: `#/components/messages/${name}` }]),
    ),
  };
}

const decision = Type.Object(
  {
    callId: Type.Optional(Type.String()),
    call_id: Type.Optional(Type.String({ description: 'An alias of `callId`.' })),
  },
  { minProperties: 1 },
);

const ack = Type.Object({
  received: Type.Integer({ minimum: 0 }),
  reply: Type.Optional(
    Type.Boolean({ description: 'Whether to answer with session.acknowledged.' }),
  ),
});

function clientMessage(type: string, route: ClientRoute): Message {
  const fields = route === 'approval' ? decision.properties : route === 'ack' ? ack.properties : {};
  return { name: type, summary: clientRoutes[route], payload: payloadOf(type, fields) };
}

function providerMessage(type: string, route: ProviderRoute): Message {
  return { name: type, summary: providerRoutes[route], payload: payloadOf(type, {}) };
}

function customMessage(type: string, doc: string, data: TSchema): Message {
  const payload = { ...payloadOf(type, { data }), required: ['type', 'data'] };
  return { name: type, summary: doc, payload };
}

function errorMessage(): Message {
  const codes = Object.keys({ ...refusals, ...shortfalls, ...closeCodes, ...realtimeErrors });
  const error = {
    type: 'object',
    required: ['type', 'code', 'message'],
    properties: {
      type: { type: 'string', description: '`service_error` if it comes from the service.' },
      code: { type: ['string', 'null'], examples: codes },
      message: { type: 'string' },
      event_id: { type: 'string', description: 'Id of the client’s event that was refused.' },
    },
  };
  return {
    name: 'error',
    summary: 'An error of the provider, or of the service in the provider’s format.',
    payload: payloadOf('error', { event_id: { type: 'string' }, error }),
  };
}

function payloadOf(type: string, fields: object): object {
  return {
    type: 'object',
    required: ['type'],
    properties: { type: { type: 'string', const: type }, ...plain(fields) },
  };
}

function closeCodeList(): object[] {
  return (Object.keys(closeCodes) as CloseName[]).map((reason) => ({
    reason,
    ...closeCodes[reason],
  }));
}

/** Removes the symbols that the schema library adds; a document is JSON. */
function plain(value: object): object {
  return JSON.parse(JSON.stringify(value)) as object;
}
