// `POST /chat/completions`: one JSON answer, or a stream of server-sent events.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { chatSteps, parseChat, type ChatRequest, type ChatStep } from '../core/chat.js';
import type { IdSource } from '../core/ids.js';
import { isObject } from '../core/shape.js';
import { textTokens } from '../core/usage.js';
import { misbehaviourOf } from './misbehaviours.js';

export type ChatOptions = { ids: IdSource; tokenMs: number; now: () => number };

type Answer = {
  id: string;
  created: number;
  request: ChatRequest;
  text: string;
  calls: { id: string; type: 'function'; function: { name: string; arguments: string } }[];
};

export async function chatCompletions(
  req: Request,
  res: Response,
  options: ChatOptions,
): Promise<void> {
  const body: unknown = req.body;
  const parsed = parseChat(body);
  if (!parsed.ok) {
    sendError(res, { status: 400, type: 'invalid_request_error', ...parsed.problem });
    return;
  }
  const misbehaviour = misbehaviourOf(parsed.request.model);
  if (misbehaviour?.on === 'upgrade' && misbehaviour.do === 'refuse') {
    sendError(res, { ...misbehaviour, param: null });
    return;
  }
  const gone = new AbortController();
  res.on('close', () => gone.abort());
  const answer: Answer = {
    id: options.ids.next('chatcmpl').replace('_', '-'),
    created: Math.floor(options.now() / 1000),
    request: parsed.request,
    text: '',
    calls: [],
  };
  const stream = isObject(body) && body['stream'] === true;
  const writer = stream
    ? new StreamWriter(res, answer, wantsUsage(body))
    : new WholeWriter(res, answer);
  for (const step of chatSteps(parsed.request)) {
    const going = await perform(step, { writer, answer, res, options, gone: gone.signal });
    if (!going) return;
  }
}

const wantsUsage = (body: Record<string, unknown>): boolean =>
  isObject(body['stream_options']) && body['stream_options']['include_usage'] === true;

type Scene = {
  writer: StreamWriter | WholeWriter;
  answer: Answer;
  res: Response;
  options: ChatOptions;
  gone: AbortSignal;
};

/** Plays one step; false ends the answer. */
async function perform(
  step: ChatStep,
  { writer, answer, res, options, gone }: Scene,
): Promise<boolean> {
  switch (step.type) {
    case 'wait':
      return pause(step.ms, gone);
    case 'content':
      answer.text += step.delta;
      writer.delta({ content: step.delta });
      return pause(options.tokenMs, gone);
    case 'call': {
      const { name, arguments: args } = step;
      const call = {
        id: options.ids.next('call'),
        type: 'function' as const,
        function: { name, arguments: args },
      };
      answer.calls.push(call);
      writer.delta({ tool_calls: [{ index: step.index, ...call }] });
      return pause(options.tokenMs, gone);
    }
    case 'raw':
      writer.raw(step.text);
      return true;
    case 'fail':
      writer.fail(step.status, step.code);
      return false;
    case 'drop':
      res.destroy();
      return false;
    case 'hang':
      return false;
    case 'finish':
      writer.finish(step.reason);
      return false;
  }
}

async function pause(ms: number, gone: AbortSignal): Promise<boolean> {
  if (ms > 0) await sleep(ms, undefined, { signal: gone }).catch(() => undefined);
  return !gone.aborted;
}

class WholeWriter {
  constructor(
    readonly res: Response,
    readonly answer: Answer,
  ) {}

  delta(_delta: object): void {
    // A whole answer is sent at the end.
  }

  raw(text: string): void {
    this.res.type('application/json').send(text);
  }

  fail(status: number, code: string): void {
    sendError(this.res, failure(status, code));
  }

  finish(finish_reason: string): void {
    if (this.res.headersSent) return;
    const { id, created, request, text, calls } = this.answer;
    const message = {
      role: 'assistant',
      content: text === '' && calls.length > 0 ? null : text,
      refusal: null,
      ...(calls.length > 0 && { tool_calls: calls }),
    };
    this.res.json({
      id,
      object: 'chat.completion',
      created,
      model: request.model,
      choices: [{ index: 0, message, logprobs: null, finish_reason }],
      usage: usageOf(this.answer),
    });
  }
}

class StreamWriter {
  constructor(
    readonly res: Response,
    readonly answer: Answer,
    readonly withUsage: boolean,
  ) {}

  delta(delta: object): void {
    this.#start();
    this.#chunk({ choices: [{ index: 0, delta, logprobs: null, finish_reason: null }] });
  }

  raw(text: string): void {
    this.#start();
    this.res.write(`data: ${text}\n\n`);
  }

  fail(status: number, code: string): void {
    const error = failure(status, code);
    if (!this.res.headersSent) {
      sendError(this.res, error);
      return;
    }
    this.res.end(`data: ${JSON.stringify(errorBody(error))}\n\n`);
  }

  finish(finish_reason: string): void {
    this.#start();
    this.#chunk({ choices: [{ index: 0, delta: {}, logprobs: null, finish_reason }] });
    if (this.withUsage) this.#chunk({ choices: [], usage: usageOf(this.answer) });
    this.res.end('data: [DONE]\n\n');
  }

  #start(): void {
    if (this.res.headersSent) return;
    this.res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    const delta = { role: 'assistant', content: '', refusal: null };
    this.#chunk({ choices: [{ index: 0, delta, logprobs: null, finish_reason: null }] });
  }

  #chunk(part: object): void {
    const { id, created, request } = this.answer;
    const usage = this.withUsage ? { usage: null } : {};
    const chunk = {
      id,
      object: 'chat.completion.chunk',
      created,
      model: request.model,
      ...usage,
      ...part,
    };
    this.res.write(`data: ${JSON.stringify(chunk)}\n\n`);
  }
}

function usageOf({ request, text, calls }: Answer) {
  const completion_tokens =
    textTokens(text) + (calls.length > 0 ? textTokens(JSON.stringify(calls)) : 0);
  return {
    prompt_tokens: request.promptTokens,
    completion_tokens,
    total_tokens: request.promptTokens + completion_tokens,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  };
}

export type HttpError = {
  status: number;
  type: string;
  code: string | null;
  message: string;
  param: string | null;
};

const failure = (status: number, code: string): HttpError => ({
  status,
  type: status === 429 ? code : 'server_error',
  code,
  message: `The simulated request failed with ${code}.`,
  param: null,
});

const errorBody = ({ message, type, param, code }: HttpError) => ({
  error: { message, type, param, code },
});

export function sendError(res: Response, error: HttpError): void {
  res.status(error.status).json(errorBody(error));
}
