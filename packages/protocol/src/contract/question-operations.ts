import { CompletedAnswer, PendingAnswer, QuestionInput } from '../schemas/question.js';
import type { Operation } from './operation.js';

export const questionOperations = {
  askQuestion: {
    method: 'post',
    path: '/Agent/{agentId}/question',
    tag: 'Agent',
    summary:
      'Ask an agent a question in text; with `Accept: text/event-stream`, its answer is streamed as events',
    description:
      'The agent answers with its text model, its tools and the conversation so far. A question whose tool needs approval, or that takes longer than QUESTION_TIMEOUT_SECONDS, gets a 202 and continues in the background.',
    scope: 'questions',
    body: QuestionInput,
    success: { status: 200, schema: CompletedAnswer, orAccepted: PendingAnswer, orEvents: true },
    problems: ['quota-reached', 'not-found', 'provider-unavailable'],
  },
} as const satisfies Record<string, Operation>;
