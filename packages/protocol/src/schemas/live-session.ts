import { Type, type Static } from '@sinclair/typebox';
import { Page, PageQuery } from './page.js';
import { DateTime, Uuid } from './text.js';

export const LiveSessionQuery = Type.Object(
  {
    AgentId: Type.Optional(Uuid({ description: 'Only sessions of this agent.' })),
    ConversationId: Type.Optional(Uuid({ description: 'Only sessions of this conversation.' })),
    ...PageQuery.properties,
  },
  { additionalProperties: false },
);

export const LiveRealtimeSession = Type.Object(
  {
    id: Uuid({ description: 'Id of the session in the record; not its one-time token.' }),
    agentId: Uuid(),
    conversationId: Uuid(),
    startedAt: DateTime(),
  },
  { additionalProperties: false },
);
export type LiveRealtimeSession = Static<typeof LiveRealtimeSession>;

export const LiveRealtimeSessionPage = Page(LiveRealtimeSession);
