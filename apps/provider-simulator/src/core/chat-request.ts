// The fields of a chat completion request, and the request as the brain reads it.
import type { Turn } from './brain.js';
import {
  anything,
  arrayOf,
  findProblem,
  isObject,
  map,
  nullable,
  object,
  oneOf,
  string,
  tooDeep,
  either,
  type Problem,
} from './shape.js';
import type { FunctionTool, ToolChoice } from './session-config.js';
import { textTokens } from './usage.js';

const message = object(
  {
    role: oneOf('system', 'developer', 'user', 'assistant', 'tool'),
    content: nullable(anything),
    name: string,
    tool_calls: nullable(arrayOf(map)),
    tool_call_id: string,
    refusal: anything,
    audio: anything,
    annotations: anything,
    parsed: anything,
    function_call: anything,
  },
  'role',
);

const tool = object(
  {
    type: oneOf('function'),
    function: object(
      { name: string, description: string, parameters: map, strict: anything },
      'name',
    ),
  },
  'type',
  'function',
);

// The text endpoint has many settings that change nothing here; only those that are used are
// validated.
const fields = {
  model: string,
  messages: arrayOf(message),
  tools: nullable(arrayOf(tool)),
  tool_choice: either(
    oneOf('none', 'auto', 'required'),
    object({ type: oneOf('function'), function: object({ name: string }, 'name') }),
  ),
};
const requestShape = object(fields, 'model', 'messages');

export type ChatRequest = {
  model: string;
  turns: Turn[];
  tools: FunctionTool[];
  toolChoice: ToolChoice;
  promptTokens: number;
};

export type ParsedChat = { ok: true; request: ChatRequest } | { ok: false; problem: Problem };

export function parseChat(body: unknown): ParsedChat {
  const problem = tooDeep(body) ? nested : findProblem(requestShape, onlyKnown(body), '');
  if (problem) return { ok: false, problem };
  return { ok: true, request: readChat(body as Record<string, unknown>) };
}

const nested: Problem = {
  code: 'invalid_value',
  message: 'The body is nested too deeply.',
  param: '',
};

const onlyKnown = (body: unknown): unknown =>
  isObject(body)
    ? Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(fields, name)))
    : body;

function readChat(body: Record<string, unknown>): ChatRequest {
  const messages = body['messages'] as Record<string, unknown>[];
  const tools = ((body['tools'] ?? []) as { function: Omit<FunctionTool, 'type'> }[]).map(
    (entry) => ({ ...entry.function, type: 'function' }),
  );
  return {
    model: String(body['model']),
    turns: messages.flatMap(turnsOfMessage),
    tools,
    toolChoice: toolChoiceOf(body['tool_choice']),
    promptTokens: textTokens(
      JSON.stringify(messages) + (tools.length > 0 ? JSON.stringify(tools) : ''),
    ),
  };
}

function toolChoiceOf(choice: unknown): ToolChoice {
  if (isObject(choice) && isObject(choice['function']))
    return { type: 'function', name: String(choice['function']['name']) };
  return typeof choice === 'string' ? choice : 'auto';
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
