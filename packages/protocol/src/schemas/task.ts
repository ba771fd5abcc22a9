import { Type, type Static } from '@sinclair/typebox';
import { Page, PageQuery } from './page.js';
import { DateTime, Name, Nullable, OneOf, Uuid } from './text.js';

export const taskStatuses = ['open', 'inProgress', 'done', 'cancelled'] as const;
export type TaskStatus = (typeof taskStatuses)[number];

export const ExternalId = Name(255, {
  description: 'Id of the task in another system; unique in the organization.',
});

const fields = {
  title: Name(500),
  description: Type.Optional(Type.String({ maxLength: 20_000, default: '' })),
  status: Type.Optional(OneOf(taskStatuses, { default: 'open' })),
  dueAt: Type.Optional(Nullable(DateTime(), { default: null })),
  agentId: Type.Optional(
    Nullable(Uuid({ description: 'Agent that the task belongs to.' }), { default: null }),
  ),
  conversationId: Type.Optional(
    Nullable(
      Uuid({
        description:
          'Conversation that the task comes from; it must be with the same agent, if one is named. Becomes null when the conversation is deleted.',
      }),
      { default: null },
    ),
  ),
  externalId: Type.Optional(Nullable(ExternalId, { default: null })),
  metadata: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      maxProperties: 100,
      'x-maxBytes': 16_384,
      'x-maxDepth': 8,
      default: {},
      description:
        'Anything you want to store with the task: at most 100 entries, 16 KiB as JSON and 8 levels. A change replaces all of it.',
    }),
  ),
};

export const TaskInput = Type.Object(fields, { additionalProperties: false });
export type TaskInput = Static<typeof TaskInput>;

export const TaskPatch = Type.Partial(TaskInput, { additionalProperties: false, minProperties: 1 });
export type TaskPatch = Static<typeof TaskPatch>;

export const Task = Type.Object(
  {
    id: Uuid(),
    ...Type.Required(Type.Object(fields)).properties,
    version: Type.Integer({ minimum: 1, description: 'Counts the changes; part of the ETag.' }),
    createdAt: DateTime(),
    updatedAt: DateTime(),
  },
  { additionalProperties: false },
);
export type Task = Static<typeof Task>;

export const TaskPage = Page(Task);

export const TaskQuery = Type.Object(
  {
    Status: Type.Optional(OneOf(taskStatuses)),
    AgentId: Type.Optional(Uuid({ description: 'Only the tasks of this agent.' })),
    ExternalId: Type.Optional(ExternalId),
    DueBefore: Type.Optional(
      DateTime({ description: 'Only tasks that are due before this time.' }),
    ),
    ...PageQuery.properties,
  },
  { additionalProperties: false },
);
