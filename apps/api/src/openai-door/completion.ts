import type { TextToolCall } from '@parley/providers';
import { callIdOf } from './call-ids.js';

/** The result of a question. */
export type Completed = {
  readonly content: string;
  /** Calls of the caller's own tools. */
  readonly calls: readonly TextToolCall[];
  readonly usage: {
    readonly inputTextTokens: number;
    readonly inputCachedTokens: number;
    readonly outputTextTokens: number;
  };
};

/** The fields that all objects of one completion share. */
export type CompletionFrame = {
  readonly runId: string;
  readonly model: string;
  /** Seconds since 1970. */
  readonly created: number;
};

export function chatCompletion(frame: CompletionFrame, done: Completed): object {
  const { content, calls } = done;
  const message = {
    role: 'assistant',
    content: content === '' && calls.length > 0 ? null : content,
    refusal: null,
    ...(calls.length > 0 && { tool_calls: toolCalls(frame, calls) }),
  };
  return {
    ...headOf(frame, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(done) }],
    usage: usageIn(done),
  };
}

/** The events of a streamed completion, in order. */
export function chunksOf(frame: CompletionFrame, includeUsage: boolean) {
  const head = headOf(frame, 'chat.completion.chunk');
  const unused = includeUsage && { usage: null };
  const chunk = (delta: object, finish_reason: string | null = null) =>
    JSON.stringify({
      ...head,
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      ...unused,
    });
  return {
    begin: () => chunk({ role: 'assistant', content: '', refusal: null }),
    text: (content: string) => chunk({ content }),
    end: (done: Completed): string[] => [
      ...toolCalls(frame, done.calls).map((call, index) =>
        chunk({ tool_calls: [{ index, ...call }] }),
      ),
      chunk({}, finishReason(done)),
      ...(includeUsage ? [JSON.stringify({ ...head, choices: [], usage: usageIn(done) })] : []),
      '[DONE]',
    ],
  };
}

function headOf({ runId, model, created }: CompletionFrame, object: string) {
  return { id: `chatcmpl-${runId}`, object, created, model, system_fingerprint: null };
}

function finishReason({ calls }: Completed): string {
  return calls.length > 0 ? 'tool_calls' : 'stop';
}

function toolCalls({ runId }: CompletionFrame, calls: readonly TextToolCall[]) {
  return calls.map(({ name, arguments: input }, n) => ({
    id: callIdOf(runId, n),
    type: 'function',
    function: { name, arguments: input },
  }));
}

function usageIn({ usage }: Completed) {
  const { inputTextTokens, inputCachedTokens, outputTextTokens } = usage;
  return {
    prompt_tokens: inputTextTokens,
    completion_tokens: outputTextTokens,
    total_tokens: inputTextTokens + outputTextTokens,
    prompt_tokens_details: { cached_tokens: inputCachedTokens },
  };
}
