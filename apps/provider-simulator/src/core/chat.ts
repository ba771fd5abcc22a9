// Chat completions on the same brain: the request's messages become turns, the plan becomes the steps of
// one answer. Streaming or not is the shell's affair.
import { think, type Turn } from './brain.js';
import type { Plan } from './plan.js';
import {
  any,
  arrayOf,
  findProblem,
  isObject,
  map,
  nullable,
  object,
  oneOf,
  string,
  either,
  type Problem,
} from './shape.js';
import type { FunctionTool, ToolChoice } from './session-config.js';
import { textTokens } from './usage.js';

const message = object(
  {
    role: oneOf('system', 'developer', 'user', 'assistant', 'tool'),
    content: nullable(any),
    name: string,
    tool_calls: nullable(arrayOf(map)),
    tool_call_id: string,
    refusal: any,
    audio: any,
    annotations: any,
  },
  'role',
);

const tool = object(
  {
    type: oneOf('function'),
    function: object({ name: string, description: string, parameters: map, strict: any }, 'name'),
  },
  'type',
  'function',
);

// The text endpoint has many settings that change nothing here; only what is used is checked.
const shapes = {
  model: string,
  messages: arrayOf(message),
  tools: nullable(arrayOf(tool)),
  tool_choice: either(
    oneOf('none', 'auto', 'required'),
    object({ type: oneOf('function'), function: object({ name: string }, 'name') }),
  ),
} as const;

export type ChatRequest = {
  model: string;
  turns: Turn[];
  tools: FunctionTool[];
  toolChoice: ToolChoice;
  promptTokens: number;
};

export type ParsedChat = { ok: true; request: ChatRequest } | { ok: false; problem: Problem };

export function parseChat(body: unknown): ParsedChat {
  if (!isObject(body))
    return {
      ok: false,
      problem: { code: 'invalid_type', message: 'The body must be a JSON object.', param: '' },
    };
  for (const required of ['model', 'messages'])
    if (body[required] === undefined)
      return {
        ok: false,
        problem: {
          code: 'missing_required_parameter',
          message: `Missing required parameter: '${required}'.`,
          param: required,
        },
      };
  for (const [name, shape] of Object.entries(shapes)) {
    const problem = body[name] === undefined ? undefined : findProblem(shape, body[name], name);
    if (problem) return { ok: false, problem };
  }
  const messages = body['messages'] as Record<string, unknown>[];
  const tools = ((body['tools'] ?? []) as { function: Omit<FunctionTool, 'type'> }[]).map(
    (entry) => ({ ...entry.function, type: 'function' }),
  );
  const choice = body['tool_choice'];
  return {
    ok: true,
    request: {
      model: String(body['model']),
      turns: messages.flatMap(turnsOfMessage),
      tools,
      toolChoice:
        isObject(choice) && isObject(choice['function'])
          ? { type: 'function', name: String(choice['function']['name']) }
          : typeof choice === 'string'
            ? choice
            : 'auto',
      promptTokens: textTokens(
        JSON.stringify(messages) + (tools.length > 0 ? JSON.stringify(tools) : ''),
      ),
    },
  };
}

function turnsOfMessage(message: Record<string, unknown>): Turn[] {
  const text = contentText(message['content']);
  switch (message['role']) {
    case 'user':
      return [{ by: 'user', text }];
    case 'tool':
      return [{ by: 'output', callId: String(message['tool_call_id']), text }];
    case 'assistant': {
      const calls = (message['tool_calls'] ?? []) as {
        id?: unknown;
        function?: { name?: unknown };
      }[];
      const words: Turn[] = text === '' ? [] : [{ by: 'assistant', text }];
      return [
        ...words,
        ...calls.map((call): Turn => ({
          by: 'call',
          callId: String(call.id),
          name: String(call.function?.name),
        })),
      ];
    }
    default:
      return [{ by: 'system', text }];
  }
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) =>
      isObject(part) && typeof part['text'] === 'string' ? part['text'] : '',
    )
    .join(' ')
    .trim();
}

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
  for (const part of plan) steps.push(...stepsOf(part, steps));
  if (steps.at(-1)?.type === 'finish') return steps;
  const called = steps.some((step) => step.type === 'call');
  return [...steps, { type: 'finish', reason: called ? 'tool_calls' : 'stop' }];
}

function stepsOf(part: Plan[number], before: readonly ChatStep[]): ChatStep[] {
  switch (part.type) {
    case 'say':
      return (part.text.match(/\s*\S+/g) ?? []).map((delta) => ({ type: 'content', delta }));
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
