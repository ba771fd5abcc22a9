// `POST /chat/completions`: one JSON answer, or a stream of server-sent events.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { parseChat } from '../core/chat-request.js';
import { chatSteps, type ChatStep } from '../core/chat-steps.js';
import type { IdSource } from '../core/ids.js';
import { isObject } from '../core/shape.js';
import { StreamWriter, WholeWriter, type Answer } from './chat-writers.js';
import { sendError } from './http-error.js';
import { misbehaviourOf } from './misbehaviours.js';

export type ChatOptions = { ids: IdSource; tokenMs: number; now: () => number };

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
