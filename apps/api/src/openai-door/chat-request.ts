import { Type, type Static } from '@sinclair/typebox';
import type { Given } from '@parley/agent-runtime';
import { isUuid, Problem, validatorOf, type ClientTool, type FieldError } from '@parley/protocol';
import type { TextMessage, TextToolCall } from '@parley/providers';
import { clientToolsIn } from './function-tools.js';

const orNull = <S extends Parameters<typeof Type.Optional>[0]>(schema: S) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

const ToolCall = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 256 }),
  function: Type.Object({ name: Type.String(), arguments: Type.String() }),
});

const ChatMessage = Type.Object({
  role: Type.String(),
  content: orNull(Type.Union([Type.String(), Type.Array(Type.Object({ type: Type.String() }))])),
  tool_calls: orNull(Type.Array(ToolCall)),
  tool_call_id: Type.Optional(Type.String()),
});
type ChatMessage = Static<typeof ChatMessage>;

/**
 * The fields that are used; anything else that OpenAI's clients send is ignored, like unknown
 * fields.
 */
const ChatRequest = Type.Object({
  model: Type.String(),
  messages: Type.Array(ChatMessage, { minItems: 1 }),
  stream: orNull(Type.Boolean()),
  stream_options: orNull(Type.Object({ include_usage: orNull(Type.Boolean()) })),
  tools: orNull(Type.Array(Type.Record(Type.String(), Type.Unknown()))),
  tool_choice: Type.Optional(Type.Unknown()),
  n: orNull(Type.Integer()),
  metadata: orNull(Type.Record(Type.String(), Type.Unknown())),
});
type ChatRequest = Static<typeof ChatRequest>;

export type ChatQuestion = {
  readonly model: string;
  /** The conversation to continue; null if none is kept. */
  readonly conversationId: string | null;
  readonly messages: readonly TextMessage[];
  /** What the user says now; null if the caller sends results of its tools. */
  readonly said: string | null;
  readonly given: Given & { readonly tools: readonly ClientTool[] };
  readonly stream: boolean;
  readonly includeUsage: boolean;
};

const validate = validatorOf(ChatRequest);

/**
 * Converts a request of OpenAI's chat completions to a question for an agent. Throws errors that a
 * caller can read.
 */
export function readChat(body: unknown): ChatQuestion {
  const checked = validate(body);
  if (!checked.ok) throw invalid(checked.errors);
  const request = checked.value;
  const errors: FieldError[] = [];
  const told = messagesIn(request, errors);
  const tools = request.tool_choice === 'none' ? [] : clientToolsIn(request.tools ?? [], errors);
  if ((request.n ?? 1) !== 1) errors.push({ path: '/n', message: 'must be 1' });
  const conversationId = conversationIn(request, errors);
  if (errors.length > 0) throw invalid(errors);
  const { messages } = told;
  const last = messages.at(-1);
  return {
    model: request.model,
    conversationId,
    messages: conversationId === null ? messages : newIn(messages),
    said: last?.role === 'user' ? last.content : null,
    given: { instructions: told.instructions, tools },
    stream: request.stream === true,
    includeUsage: request.stream_options?.include_usage === true,
  };
}

export function invalid(errors: readonly FieldError[]): Problem {
  return new Problem('body-invalid', 'The request is not valid.', { errors });
}

function conversationIn({ metadata }: ChatRequest, errors: FieldError[]): string | null {
  const id = metadata?.['conversationId'] ?? null;
  if (id === null) return null;
  if (typeof id === 'string' && isUuid(id)) return id.toLowerCase();
  errors.push({ path: '/metadata/conversationId', message: 'must be the id of a conversation' });
  return null;
}

type Told = { instructions: string | null; messages: TextMessage[] };

function messagesIn({ messages: sent }: ChatRequest, errors: FieldError[]): Told {
  const instructions: string[] = [];
  const messages: TextMessage[] = [];
  let unanswered: ReadonlySet<string> = new Set();
  sent.forEach((message, n) => {
    const path = `/messages/${n}`;
    const content = textIn(message, path, errors);
    if (message.role !== 'tool') unanswered = requireAnswered(unanswered, path, errors);
    switch (message.role) {
      case 'system':
      case 'developer':
        instructions.push(content);
        break;
      case 'user':
        messages.push({ role: 'user', content });
        break;
      case 'assistant': {
        const toolCalls = (message.tool_calls ?? []).map(callIn);
        unanswered = new Set(toolCalls.map(({ callId }) => callId));
        messages.push({ role: 'assistant', content, toolCalls });
        break;
      }
      case 'tool': {
        const callId = message.tool_call_id ?? '';
        if (!unanswered.has(callId))
          errors.push({
            path: `${path}/tool_call_id`,
            message: 'does not answer any preceding call',
          });
        unanswered = new Set([...unanswered].filter((id) => id !== callId));
        messages.push({ role: 'tool', callId, content });
        break;
      }
      default:
        errors.push({ path: `${path}/role`, message: `must be one of ${roles.join(', ')}` });
    }
  });
  requireAnswered(unanswered, '/messages', errors);
  if (messages.length === 0)
    errors.push({ path: '/messages', message: 'must contain a user message' });
  return { instructions: instructions.filter(Boolean).join('\n\n') || null, messages };
}

const roles = ['system', 'developer', 'user', 'assistant', 'tool'];

function requireAnswered(
  unanswered: ReadonlySet<string>,
  path: string,
  errors: FieldError[],
): ReadonlySet<string> {
  if (unanswered.size > 0)
    errors.push({ path, message: 'must answer each tool call before it with a tool message' });
  return new Set();
}

function callIn({
  id,
  function: { name, arguments: input },
}: Static<typeof ToolCall>): TextToolCall {
  return { callId: id, name, arguments: input };
}

function textIn({ content }: ChatMessage, path: string, errors: FieldError[]): string {
  if (typeof content === 'string') return content;
  const texts = (content ?? []).map((part, n) => {
    const { type, text, refusal } = part as { type: string; text?: unknown; refusal?: unknown };
    const words = type === 'refusal' ? refusal : text;
    if ((type === 'text' || type === 'refusal') && typeof words === 'string') return words;
    const message = `of type ${JSON.stringify(type.slice(0, 40))} cannot be read: agents read text`;
    errors.push({ path: `${path}/content/${n}`, message });
    return '';
  });
  return texts.join('');
}

/**
 * The conversation has its history: new is the user's message, or the results of the last calls
 * together with the calls.
 */
function newIn(messages: readonly TextMessage[]): readonly TextMessage[] {
  const isLast = ({ role }: TextMessage) =>
    role === (messages.at(-1)?.role === 'tool' ? 'assistant' : 'user');
  return messages.slice(Math.max(0, messages.findLastIndex(isLast)));
}
