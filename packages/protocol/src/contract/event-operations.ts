import { EventQuery } from '../schemas/event-query.js';
import type { Operation } from './operation.js';

export const eventOperations = {
  listenToEvents: {
    method: 'get',
    path: '/Event',
    tag: 'Event',
    summary: 'Listen to what happens in the organization, as server-sent events',
    description:
      'Each event says what to read again: ids and kinds, never the record. You hear of what your scopes let you read: approvals with `approvals`, sessions and messages with `conversations` or `realtime`, answers with `conversations` or `questions`, tasks with `tasks`. The stream goes on until one side leaves; send the last id back in `Last-Event-ID` to go on where it broke off.',
    scope: 'approvals',
    orScopes: ['conversations', 'realtime', 'questions', 'tasks'],
    query: EventQuery,
    resumable: true,
    success: { status: 200, stream: ['text/event-stream'] },
    problems: ['too-many-streams'],
  },
} as const satisfies Record<string, Operation>;
