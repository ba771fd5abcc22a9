import { CompletedAnswer, PendingAnswer, QuestionInput } from '../schemas/question.js';
import type { Operation } from './operation.js';

export const questionOperations = {
  askQuestion: {
    method: 'post',
    path: '/Agent/{agentId}/question',
    tag: 'Agent',
    summary:
      'Ask an agent a question in text; with `Accept: text/event-stream` its answer comes as events',
    description:
      'The agent answers with its text model, its tools, and what was said in the conversation before. A question whose tool needs a person’s approval, or that takes longer than its request may, is answered with 202 and goes on by itself.',
    scope: 'questions',
    body: QuestionInput,
    success: { status: 200, schema: CompletedAnswer, orAccepted: PendingAnswer, orEvents: true },
    problems: ['quota-reached', 'not-found', 'provider-unavailable'],
  },
} as const satisfies Record<string, Operation>;
