import { Type, type Static } from '@sinclair/typebox';
import { Page, PageQuery } from './page.js';
import { DateTime, Nullable, OneOf, Uuid } from './text.js';

export const approvalStates = ['waiting', 'approved', 'rejected', 'expired', 'cancelled'] as const;

export const approvers = ['client', 'api'] as const;
export type Approver = (typeof approvers)[number];

export const Approvers = (description: string) =>
  Type.Array(OneOf(approvers), { minItems: 1, uniqueItems: true, description });

export const ApprovalQuery = Type.Object(
  {
    State: Type.Optional(
      OneOf(approvalStates, { default: 'waiting', description: 'Only approvals in this state.' }),
    ),
    AgentId: Type.Optional(Uuid({ description: 'Only calls of this agent’s tools.' })),
    ConversationId: Type.Optional(Uuid({ description: 'Only calls in this conversation.' })),
    ...PageQuery.properties,
  },
  { additionalProperties: false },
);

export const Approval = Type.Object(
  {
    id: Uuid(),
    callId: Type.String({ description: 'The provider’s call id.' }),
    agentId: Uuid({ description: 'The agent whose tool it is.' }),
    conversationId: Uuid(),
    sessionId: Nullable(Uuid({ description: 'The realtime session in which the call was made.' })),
    name: Type.String({ description: 'The tool.' }),
    arguments: Type.Unknown({
      description: 'The exact arguments that the tool runs with if the call is approved.',
    }),
    approvers: Approvers('Who may decide it: the client of the session, or this API.'),
    createdAt: DateTime(),
    deadline: DateTime({ description: 'When the approval expires if nobody decides.' }),
    state: OneOf(approvalStates),
    decidedBy: Nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Who approved or rejected the call.',
      }),
    ),
    decidedAt: Nullable(DateTime()),
  },
  { additionalProperties: false },
);
export type Approval = Static<typeof Approval>;

export const ApprovalPage = Page(Approval);

/** Our id, or the provider's call id, which may be any text. */
export const ApprovalReference = Type.String({
  minLength: 1,
  maxLength: 512,
  description: 'The approval’s id, or the provider’s call id.',
});
