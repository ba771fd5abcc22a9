import OpenAI from 'openai';
import pTimeout from 'p-timeout';
import type {
  ChatCompletionChunk,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import { reportedCount, storable } from '@parley/protocol';
import { boundedBody, EgressRefused, type Egress, type GuardedFetch } from '@parley/egress';
import type { ProviderConnection } from './default-connection.js';
import { eventData, StreamTooLong } from './event-data.js';
import { providerBase } from './provider-base.js';
import { hideSecret } from './refusal-reason.js';
import type {
  TextAnswer,
  TextMessage,
  TextRequest,
  TextToolCall,
  TextUsage,
} from './text-model.js';

/** Calls a provider's text models through OpenAI's chat completions API. */
export type TextClient = {
  /**
   * Passes text on as it arrives. Throws the signal's reason if it fires; any other failure is a
   * result.
   */
  complete(
    request: TextRequest,
    signal: AbortSignal,
    onText: (delta: string) => void,
  ): Promise<TextAnswer>;
};

const limits = {
  retries: 2,
  firstByteMs: 60_000,
  characters: 1_048_576,
  toolCalls: 128,
  reason: 300,
  errorBytes: 65_536,
  /** A provider that asks for a longer pause than this is not asked again. */
  retryAfterMs: 5000,
  /**
   * An event has a word or two, or all arguments of a call; each word adds some hundred bytes of
   * overhead.
   */
  stream: { eventCharacters: 1_048_576, bytes: 128 * 1_048_576 },
};

/**
 * `egress` guards a connection whose target a tenant chose. Undefined if the connection has no base
 * URL and its kind has no default.
 */
export function textClient(
  connection: ProviderConnection,
  egress: Egress | undefined,
): TextClient | undefined {
  const base = providerBase(connection);
  if (!base) return undefined;
  const { secret } = connection;
  const { origin, pathname, searchParams } = new URL(base.url);
  const client = new OpenAI({
    baseURL: origin + pathname,
    defaultQuery: Object.fromEntries(searchParams),
    // The SDK requires a key, and reads omitted options from the environment.
    apiKey: secret ?? 'none',
    organization: null,
    project: null,
    defaultHeaders: { Authorization: null, ...base.headers },
    maxRetries: limits.retries,
    timeout: limits.firstByteMs,
    logLevel: 'off',
    fetch: (url, init) =>
      shortError(egress?.fetch ?? fetch)(url instanceof Request ? url.url : url, init),
  });
  return {
    async complete(request, signal, onText) {
      // The SDK never removes its listeners from the signal, so each answer gets its own signal.
      const own = new AbortController();
      const abort = () => own.abort(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      try {
        signal.throwIfAborted();
        egress?.check(base.url);
        const opening = open(client, request, own.signal);
        // The SDK hears the signal only between its pauses.
        const response = await pTimeout(opening, { milliseconds: Infinity, signal: own.signal });
        return await gather(chunksOf(response), request.model, onText);
      } catch (error) {
        signal.throwIfAborted();
        const reason = hideSecret(reasonOf(error), secret).slice(0, limits.reason);
        return { ok: false, reason: storable(reason) };
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
  };
}

/** The SDK reads the whole body of a refusal, and pauses for as long as it says, whatever that is. */
function shortError(send: GuardedFetch): GuardedFetch {
  return async (url, init) => {
    const response = await send(url, init);
    if (response.ok) return response;
    const { status } = response;
    const headers = new Headers([...response.headers]);
    if (pauseMs(headers) > limits.retryAfterMs) headers.set('x-should-retry', 'false');
    const { body } = await boundedBody(response, limits.errorBytes);
    return new Response(body.length > 0 ? body : null, { status, headers });
  };
}

/** What a provider asks for: milliseconds, seconds or a date. */
function pauseMs(headers: Headers): number {
  const after = headers.get('retry-after') ?? '';
  const ms = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  const seconds = Number.parseFloat(after);
  return ms || seconds * 1000 || Date.parse(after) - Date.now() || 0;
}

/** Some servers leave out what the SDK's types promise. */
type Chunk = Partial<ChatCompletionChunk>;

/**
 * The SDK's own stream parser rescans the whole event with each chunk. Throws unless the provider
 * says that its answer is complete, in either way: some servers leave out one of them.
 */
async function* chunksOf({ body }: Response): AsyncGenerator<Chunk> {
  let isFinished = false;
  for await (const data of eventData((body ?? []) as AsyncIterable<Uint8Array>, limits.stream)) {
    if (data.startsWith('[DONE]')) return;
    const chunk = JSON.parse(data) as Chunk & { error?: unknown };
    if (chunk.error !== undefined && chunk.error !== null)
      throw new Error('The provider interrupted its response with an error.');
    isFinished ||= Boolean(chunk.choices?.[0]?.finish_reason);
    yield chunk;
  }
  if (!isFinished) throw new Error('The provider’s response ended too early.');
}

function open(
  client: OpenAI,
  { model, messages, tools }: TextRequest,
  signal: AbortSignal,
): Promise<Response> {
  const completion = client.chat.completions.create(
    {
      model,
      messages: messages.map(wireMessage),
      stream: true,
      stream_options: { include_usage: true },
      ...(tools.length > 0 && {
        tools: tools.map(
          ({ name, description, parameters = { type: 'object', properties: {} } }) => ({
            type: 'function' as const,
            function: { name, description, parameters },
          }),
        ),
      }),
    },
    { signal },
  );
  return completion.asResponse();
}

function wireMessage(message: TextMessage): ChatCompletionMessageParam {
  if (message.role === 'tool')
    return { role: 'tool', tool_call_id: message.callId, content: message.content };
  if (message.role !== 'assistant') return { role: message.role, content: message.content };
  const { content, toolCalls } = message;
  if (toolCalls.length === 0) return { role: 'assistant', content };
  const calls = toolCalls.map(({ callId: id, name, arguments: input }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: input },
  }));
  return { role: 'assistant', content: content === '' ? null : content, tool_calls: calls };
}

async function gather(
  chunks: AsyncIterable<Chunk>,
  model: string,
  onText: (delta: string) => void,
): Promise<TextAnswer> {
  let text = '';
  let usage: TextUsage | undefined;
  const calls = new Map<number, TextToolCall>();
  for await (const chunk of chunks) {
    const delta = chunk.choices?.[0]?.delta;
    if (delta?.content) {
      text += delta.content;
      onText(delta.content);
    }
    for (const part of delta?.tool_calls ?? []) addPart(calls, part);
    usage = usageOf(chunk, model) ?? usage;
    if (sizeOf(text, calls) > limits.characters || calls.size > limits.toolCalls)
      throw new StreamTooLong();
  }
  return {
    ok: true,
    text: storable(text),
    toolCalls: [...calls.values()].map(storableCall),
    usage,
  };
}

/** Half of a character may come with one chunk and the rest with the next: only the whole tells. */
function storableCall({ callId, name, arguments: input }: TextToolCall): TextToolCall {
  return { callId: storable(callId), name: storable(name), arguments: storable(input) };
}

type CallPart = NonNullable<ChatCompletionChunk.Choice.Delta['tool_calls']>[number];

function addPart(calls: Map<number, TextToolCall>, chunk: CallPart): void {
  const { id, function: part } = chunk;
  const index = indexOf(calls, chunk);
  const known = calls.get(index) ?? { callId: '', name: '', arguments: '' };
  calls.set(index, {
    callId: known.callId || (id ?? ''),
    name: known.name || (part?.name ?? ''),
    arguments: known.arguments + (part?.arguments ?? ''),
  });
}

/** Some servers leave out the index: then an id or a name that is not the last call’s begins another. */
function indexOf(
  calls: ReadonlyMap<number, TextToolCall>,
  { index, id, function: part }: CallPart,
) {
  if (typeof index === 'number') return index;
  const last = calls.size - 1;
  const known = calls.get(last);
  const isNew = id ? id !== known?.callId : Boolean(part?.name);
  return !known || isNew ? last + 1 : last;
}

function sizeOf(text: string, calls: ReadonlyMap<number, TextToolCall>): number {
  let size = text.length;
  for (const { arguments: input } of calls.values()) size += input.length;
  return size;
}

function usageOf({ id, usage }: Chunk, model: string): TextUsage | undefined {
  if (!usage) return undefined;
  return {
    id: typeof id === 'string' ? storable(id) : '',
    model,
    inputTokens: reportedCount(usage.prompt_tokens),
    cachedTokens: reportedCount(usage.prompt_tokens_details?.cached_tokens),
    outputTokens: reportedCount(usage.completion_tokens),
  };
}

function reasonOf(error: unknown): string {
  const refusal = refusalIn(error);
  if (refusal) return refusal.message;
  if (error instanceof StreamTooLong) return 'The model’s answer is too long.';
  if (error instanceof OpenAI.APIConnectionTimeoutError)
    return 'The model provider did not respond in time.';
  if (error instanceof OpenAI.APIError && typeof error.status === 'number')
    return `The model provider responded with HTTP ${error.message}`;
  return 'The model provider was unreachable, or interrupted its response.';
}

function refusalIn(error: unknown): EgressRefused | undefined {
  if (error instanceof EgressRefused) return error;
  return error instanceof Error && error.cause !== undefined ? refusalIn(error.cause) : undefined;
}
