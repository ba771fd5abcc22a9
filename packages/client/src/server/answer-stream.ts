import type { AnswerEvent, QuestionAnswer } from './contract.js';
import { ParleyApiError, ParleyConnectionError } from './errors.js';
import { EventParser } from './server-sent-events.js';

/** An event of an answer; where there is none, the stream throws what an `error` event tells. */
export type StreamedAnswerEvent = Exclude<AnswerEvent, { type: 'error' }>;

/**
 * An answer as it comes. Loop over its events once, with `for await`, or await `answer()`: then the question is asked. A connection that breaks is made anew: pieces that were
 * said meanwhile do not come again, and the last event, `question.answered`, has the whole answer. Leaving the loop does not end the question.
 */
export class AnswerStream implements AsyncIterable<StreamedAnswerEvent> {
  readonly #events: AsyncGenerator<StreamedAnswerEvent>;
  #answer: QuestionAnswer | undefined;

  /** @internal */
  constructor(events: AsyncGenerator<StreamedAnswerEvent>) {
    this.#events = this.#noting(events);
  }

  /** The events that are left. */
  [Symbol.asyncIterator](): AsyncGenerator<StreamedAnswerEvent> {
    return this.#events;
  }

  /** The whole answer, when it is there. It reads the events that are left. */
  async answer(): Promise<QuestionAnswer> {
    let step = await this.#events.next();
    while (step.done !== true) step = await this.#events.next();
    if (this.#answer) return this.#answer;
    throw new ParleyConnectionError('aborted', 'The stream was left before its answer came.');
  }

  async *#noting(events: AsyncGenerator<StreamedAnswerEvent>): AsyncGenerator<StreamedAnswerEvent> {
    for await (const event of events) {
      if (event.type === 'question.answered') this.#answer = event.data;
      yield event;
    }
  }
}

/** The events in the text of one connection, which ends with an answer or breaks. */
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
    throw new ParleyConnectionError('unreadable', 'An event of the stream is no JSON.', { cause });
  }
}

function refusalIn(problem: Extract<AnswerEvent, { type: 'error' }>['data']): ParleyApiError {
  const { type, status, detail, errors = [], quota } = problem;
  return new ParleyApiError({
    ...{ status, errorCode: type.split('#')[1], detail, errors, quota },
    requestId: undefined,
    retryAfter: undefined,
  });
}
