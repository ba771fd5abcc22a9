// Chat completions on the same brain: its plan becomes the steps of one answer. The shell decides
// whether to stream.
import { think } from './brain.js';
import type { ChatRequest } from './chat-request.js';
import type { PlanPart } from './plan.js';

export type ChatStep =
  | { type: 'wait'; ms: number }
  | { type: 'content'; delta: string }
  | { type: 'call'; index: number; name: string; arguments: string }
  | { type: 'fail'; status: number; code: string }
  | { type: 'raw'; text: string }
  | { type: 'drop' }
  | { type: 'hang' }
  | { type: 'finish'; reason: 'stop' | 'tool_calls' | 'length' | 'content_filter' };

export function chatSteps(request: ChatRequest): ChatStep[] {
  const plan = think({
    turns: request.turns,
    tools: request.tools,
    toolChoice: request.toolChoice,
  });
  const steps: ChatStep[] = [];
  for (const part of plan) for (const step of stepsOf(part, steps)) steps.push(step);
  if (steps.at(-1)?.type === 'finish') return steps;
  const called = steps.some((step) => step.type === 'call');
  return [...steps, { type: 'finish', reason: called ? 'tool_calls' : 'stop' }];
}

function stepsOf(part: PlanPart, before: readonly ChatStep[]): ChatStep[] {
  switch (part.type) {
    case 'say':
      return (part.text.match(/(?<!\s)\s*\S+/g) ?? []).map((delta) => ({ type: 'content', delta }));
    case 'noise':
      return [{ type: 'content', delta: 'x'.repeat(part.bytes) }];
    case 'call': {
      const index = before.filter(({ type }) => type === 'call').length;
      return [{ type: 'call', index, name: part.name, arguments: part.arguments }];
    }
    case 'fail':
    case 'error':
      return [
        { type: 'fail', status: /quota|rate_limit/.test(part.code) ? 429 : 500, code: part.code },
      ];
    case 'incomplete':
      return [
        { type: 'finish', reason: part.reason === 'content_filter' ? 'content_filter' : 'length' },
      ];
    case 'disconnect':
      return [{ type: part.how === 'hang' ? 'hang' : 'drop' }];
    case 'wait':
    case 'raw':
      return [part];
    case 'binary':
      return [];
  }
}
