import type { AnswerEvent, QuestionAnswer } from './contract.js';
import { ParleyApiError, ParleyConnectionError } from './errors.js';
import { EventParser } from './server-sent-events.js';

/** An event of an answer. Instead of yielding an `error` event, the stream throws it. */
export type StreamedAnswerEvent = Exclude<AnswerEvent, { type: 'error' }>;

/**
 * An answer as it is generated. Loop over its events once with `for await`, or await `answer()`;
 * this sends the question. A broken connection is re-established: pieces sent in the meantime are
 * not repeated, but the last event, `question.answered`, has the whole answer. Leaving the loop
 * does not cancel the question.
 */
export class AnswerStream implements AsyncIterable<StreamedAnswerEvent> {
  readonly #events: AsyncGenerator<StreamedAnswerEvent>;
  #answer: QuestionAnswer | undefined;

  /** @internal */
  constructor(events: AsyncGenerator<StreamedAnswerEvent>) {
    this.#events = this.#noting(events);
  }

  /** The remaining events. */
  [Symbol.asyncIterator](): AsyncGenerator<StreamedAnswerEvent> {
    return this.#events;
  }

  /** The complete answer, once it is available. Reads the remaining events. */
  async answer(): Promise<QuestionAnswer> {
    let step = await this.#events.next();
    while (step.done !== true) step = await this.#events.next();
    if (this.#answer) return this.#answer;
    throw new ParleyConnectionError('aborted', 'The stream was closed before the answer arrived.');
  }

  async *#noting(events: AsyncGenerator<StreamedAnswerEvent>): AsyncGenerator<StreamedAnswerEvent> {
    for await (const event of events) {
      if (event.type === 'question.answered') this.#answer = event.data;
      yield event;
    }
  }
}

/** Parses the events of one connection, which ends with an answer or breaks. */
export async function* answerEvents(
  pieces: AsyncIterable<string>,
): AsyncGenerator<StreamedAnswerEvent> {
  const parser = new EventParser();
  for await (const piece of pieces)
    for (const data of parser.push(piece)) {
      const event = eventIn(data);
      if (event.type === 'error') throw refusalIn(event.data);
      yield event;
      if (event.type === 'question.answered') return;
    }
  throw new ParleyConnectionError(
    'lost',
    'The stream ended early; the answer will be added to the conversation.',
  );
}

function eventIn(data: string): AnswerEvent {
  try {
    return JSON.parse(data) as AnswerEvent;
  } catch (cause) {
    throw new ParleyConnectionError('unreadable', 'An event of the stream is not valid JSON.', {
      cause,
    });
  }
}

function refusalIn(problem: Extract<AnswerEvent, { type: 'error' }>['data']): ParleyApiError {
  const { type, status, detail, errors = [], quota } = problem;
  return new ParleyApiError({
    status,
    errorCode: type.split('#')[1],
    detail,
    errors,
    quota,
    requestId: undefined,
    retryAfter: undefined,
  });
}
