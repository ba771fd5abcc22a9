// The two forms of an answer: whole, or streamed.
import type { Response } from 'express';
import type { ChatRequest } from '../core/chat-request.js';
import { textTokens } from '../core/usage.js';
import { errorBody, sendError, type HttpError } from './http-error.js';

export type Answer = {
  id: string;
  created: number;
  request: ChatRequest;
  text: string;
  calls: { id: string; type: 'function'; function: { name: string; arguments: string } }[];
};

/** Collects, and answers with one JSON document. */
export class WholeWriter {
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
    if (!this.res.headersSent) sendError(this.res, failure(status, code));
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

/** Answers with server-sent events as they come. */
export class StreamWriter {
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

const failure = (status: number, code: string): HttpError => ({
  status,
  type: status === 429 ? code : 'server_error',
  code,
  message: `The simulated request failed with ${code}.`,
  param: null,
});
