import type { RawEvent } from '@parley/client';
import { countIn, fieldsOf, textIn } from './fields.js';

/** Tokens, as the provider counts them. The parts are included in the totals. */
export type Tokens = {
  readonly input: number;
  readonly inputAudio: number;
  readonly inputCached: number;
  readonly output: number;
  readonly outputAudio: number;
};

export type ResponseUsage = Tokens & {
  readonly id: string;
  readonly at: number;
  readonly status: string;
};

export type Usage = {
  /** The most recent ones. */
  readonly responses: readonly ResponseUsage[];
  /** Number and total of all responses. */
  readonly count: number;
  readonly total: Tokens;
};

const none: Tokens = { input: 0, inputAudio: 0, inputCached: 0, output: 0, outputAudio: 0 };
export const noUsage: Usage = { responses: [], count: 0, total: none };
const maxResponses = 200;

/** Adds the usage of a `response.done`; other events change nothing. */
export function used(usage: Usage, event: RawEvent, at: number): Usage {
  if (event.type !== 'response.done') return usage;
  const response = fieldsOf(event.response);
  const tokens = tokensOf(fieldsOf(response.usage));
  const row = {
    ...tokens,
    id: textIn(response.id) ?? `response ${usage.count + 1}`,
    at,
    status: textIn(response.status) ?? 'unknown',
  };
  return {
    responses: [...usage.responses, row].slice(-maxResponses),
    count: usage.count + 1,
    total: {
      input: usage.total.input + tokens.input,
      inputAudio: usage.total.inputAudio + tokens.inputAudio,
      inputCached: usage.total.inputCached + tokens.inputCached,
      output: usage.total.output + tokens.output,
      outputAudio: usage.total.outputAudio + tokens.outputAudio,
    },
  };
}

function tokensOf(usage: Readonly<Record<string, unknown>>): Tokens {
  const input = fieldsOf(usage.input_token_details);
  const output = fieldsOf(usage.output_token_details);
  return {
    input: countIn(usage.input_tokens),
    inputAudio: countIn(input.audio_tokens),
    inputCached: countIn(input.cached_tokens),
    output: countIn(usage.output_tokens),
    outputAudio: countIn(output.audio_tokens),
  };
}
