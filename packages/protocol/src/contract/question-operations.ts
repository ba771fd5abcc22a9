import { QuestionAnswer, QuestionInput } from '../schemas/question.js';
import type { Operation } from './operation.js';

export const questionOperations = {
  askQuestion: {
    method: 'post',
    path: '/Agent/{agentId}/question',
    tag: 'Agent',
    summary:
      'Ask an agent a question in text; with `Accept: text/event-stream` its answer comes as events',
    scope: 'questions',
    body: QuestionInput,
    success: { status: 200, schema: QuestionAnswer, orAccepted: true, orEvents: true },
    problems: ['quota-reached', 'not-found', 'provider-unavailable'],
  },
} as const satisfies Record<string, Operation>;
