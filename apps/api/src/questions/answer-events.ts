import type { QuestionListener } from '@parley/agent-runtime';
import { customEvent, Problem, type QuestionAnswer } from '@parley/protocol';
import type { Streamed } from '../http/call.js';
import type { RunPlace, QuestionDesk } from './question-desk.js';
import { eitherSignal } from './either-signal.js';
import { eventStreamHeaders, type EventStream } from '../http/event-stream.js';

/** Time to continue after a deadline: for the worker's sweep, and the model. */
const marginMs = 120_000;

export type Watched = RunPlace & { readonly agentId: string };

export function listenerFor(stream: EventStream, agentId: string): QuestionListener {
  return {
    onEvent: (event) => stream.send(event),
    onText: (delta) =>
      stream.send(customEvent('response.text.delta', { chatbotId: agentId, delta })),
  };
}

/**
 * Follows a question to its end, here or in a worker, and streams it. `begun` settles when this
 * process has done its part. If the reader disconnects, the stream ends, but not the question.
 */
export function streamAnswer(
  desk: QuestionDesk,
  { run, begun, stream }: { run: Watched; begun: Promise<unknown>; stream: EventStream },
): Streamed {
  // A reader that left before the stream was read is never noticed by it.
  const over = new AbortController();
  const signal = eitherSignal(AbortSignal.any([stream.left, over.signal]), desk.leaving);
  void begun
    // A worker continues what was interrupted here.
    .catch(() => undefined)
    .then(() => follow(desk, { run, stream, signal }))
    .catch((error: unknown) => stream.send(customEvent('error', problemOf(error).body())))
    .finally(() => {
      over.abort();
      stream.end();
    });
  return { mediaType: 'text/event-stream', headers: eventStreamHeaders, chunks: stream };
}

type Following = { run: Watched; stream: EventStream; signal: AbortSignal };

async function follow(desk: QuestionDesk, { run, stream, signal }: Following): Promise<void> {
  let told = '';
  for (;;) {
    const answer = await desk.read(run);
    if (answer.status === 'completed') {
      tellAnswer(stream, run, answer);
      return;
    }
    const waiting = customEvent('question.waiting', answer);
    if (answer.status === 'waitingForApproval' && waiting !== told) stream.send((told = waiting));
    if (signal.aborted) stream.comment('closing: the answer will be added to the conversation');
    if (signal.aborted) return;
    if (isForgotten(answer))
      throw new Problem('service-unavailable', 'Nobody continues the question at the moment.');
    await desk.news(run.id, signal);
  }
}

/** Nobody continued it long after its last deadline. */
function isForgotten({ approvals }: QuestionAnswer): boolean {
  const deadlines = approvals.map(({ deadline }) => Date.parse(deadline));
  return deadlines.length > 0 && Math.max(...deadlines) + marginMs < Date.now();
}

function tellAnswer(stream: EventStream, { id, agentId }: Watched, answer: QuestionAnswer): void {
  stream.send(customEvent('response.id', { chatbotId: agentId, id }));
  stream.send(customEvent('response.completed', { chatbotId: agentId }));
  stream.send(customEvent('question.answered', answer));
}

function problemOf(error: unknown): Problem {
  return error instanceof Problem
    ? error
    : new Problem('service-unavailable', 'The answer will be added to the conversation.');
}
