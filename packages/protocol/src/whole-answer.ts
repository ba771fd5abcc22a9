import { Problem, type ProblemCode } from './errors.js';
import { RealtimeError } from './realtime-errors.js';
import { openAiRefusal } from './openai-errors.js';

/** A refusal as an HTTP answer, for whoever writes one by hand. */
export type WholeAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string;
};

export function wholeAnswer(error: Problem | RealtimeError): WholeAnswer {
  const domain = error instanceof RealtimeError;
  return whole(error.body(), {
    status: domain ? 400 : error.status,
    headers: domain ? {} : error.headers,
    type: domain ? 'application/json' : 'application/problem+json',
  });
}

/** The same for clients of OpenAI. */
export function wholeOpenAiAnswer(error: Problem | RealtimeError): WholeAnswer {
  const { body, ...rest } = openAiRefusal(error);
  return whole(body, { ...rest, type: 'application/json' });
}

/** For a request that is refused before an app sees it. */
export function earlyAnswer(code: ProblemCode, detail: string): WholeAnswer {
  return wholeAnswer(new Problem(code, detail));
}

type Head = { status: number; headers: Readonly<Record<string, string>>; type: string };

function whole(content: object, { status, headers, type }: Head): WholeAnswer {
  const body = JSON.stringify(content);
  return {
    status,
    headers: {
      ...headers,
      'Content-Type': type,
      'Content-Length': new TextEncoder().encode(body).length,
      'Cache-Control': 'no-store',
      Connection: 'close',
    },
    body,
  };
}
