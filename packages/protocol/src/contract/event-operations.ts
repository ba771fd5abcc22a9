import { EventQuery } from '../schemas/event-query.js';
import type { Operation } from './operation.js';

export const eventOperations = {
  listenToEvents: {
    method: 'get',
    path: '/Event',
    tag: 'Event',
    summary: 'Listen to the organization’s events, as server-sent events',
    description:
      'Each event says what to read again: ids and kinds, never the content. You receive events about what your scopes let you read: approvals with `approvals`, sessions and messages with `conversations` or `realtime`, answers with `conversations` or `questions`, tasks with `tasks`. The stream continues until one side disconnects; send the last id back in `Last-Event-ID` to resume it.',
    scope: 'approvals',
    orScopes: ['conversations', 'realtime', 'questions', 'tasks'],
    query: EventQuery,
    resumable: true,
    success: { status: 200, stream: ['text/event-stream'] },
    problems: ['too-many-streams'],
  },
} as const satisfies Record<string, Operation>;
