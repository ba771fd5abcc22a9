import type { TextAnswer, TextMessage, TextUsage } from '@parley/providers';
import type { OpenCall, ToolDeclaration, Run } from './call.js';
import type { Toolbox } from './runtime.js';

/** So much, and then a model that goes round in circles gets no further. */
const limits = { rounds: 10, callsPerRound: 16 } as const;

export type AnswerPorts = {
  readonly instructions: string;
  readonly toolbox: Pick<Toolbox, 'declarations' | 'newCall' | 'advance'>;
  readonly complete: (
    request: { messages: readonly TextMessage[]; tools: readonly ToolDeclaration[] },
    signal: AbortSignal,
    onText: (delta: string) => void,
  ) => Promise<TextAnswer>;
  readonly onText?: ((delta: string) => void) | undefined;
  readonly onUsage?: ((usage: TextUsage) => Promise<void>) | undefined;
};

/**
 * Takes a run as far as it goes now: to its answer, to its failure, or to a call that waits for approval. Between two
 * questions to the model all calls of a round are finished. Throws the signal's reason when that fires.
 */
export async function answer(run: Run, ports: AnswerPorts, signal: AbortSignal): Promise<Run> {
  let current = run;
  while (current.state === 'open' || current.state === 'waiting') {
    current = current.openCalls.length > 0 ? await finishCalls(current, ports, signal) : current;
    signal.throwIfAborted();
    if (current.state === 'waiting') return current;
    current = await ask(current, ports, signal);
  }
  return current;
}

async function finishCalls(run: Run, { toolbox }: AnswerPorts, signal: AbortSignal): Promise<Run> {
  const openCalls = await Promise.all(run.openCalls.map((call) => toolbox.advance(call, signal)));
  if (openCalls.some(({ state }) => state === 'waiting'))
    return { ...run, state: 'waiting', openCalls };
  const outputs = openCalls.map(({ callId, outcome }): TextMessage => ({
    role: 'tool',
    callId,
    content: outcome?.output ?? '',
  }));
  return { ...run, state: 'open', openCalls: [], messages: [...run.messages, ...outputs] };
}

async function ask(run: Run, ports: AnswerPorts, signal: AbortSignal): Promise<Run> {
  if (run.rounds >= limits.rounds)
    return {
      ...run,
      state: 'failed',
      answer: `No answer after ${limits.rounds} rounds of tool calls.`,
    };
  const { toolbox, instructions } = ports;
  const system: TextMessage[] =
    instructions === '' ? [] : [{ role: 'system', content: instructions }];
  const reply = await ports.complete(
    { messages: [...system, ...run.messages], tools: toolbox.declarations },
    signal,
    ports.onText ?? (() => undefined),
  );
  signal.throwIfAborted();
  if (!reply.ok) return { ...run, state: 'failed', answer: reply.reason };
  if (reply.usage) await ports.onUsage?.(reply.usage);
  const usage = reply.usage ? [...run.usage, reply.usage] : run.usage;
  const { text: content, toolCalls } = reply;
  const said: TextMessage = { role: 'assistant', content, toolCalls };
  const next: Run = { ...run, messages: [...run.messages, said], usage, rounds: run.rounds + 1 };
  if (toolCalls.length === 0) return { ...next, state: 'answered', answer: content };
  return withCalls(next, toolCalls, toolbox);
}

/** Calls beyond the limit are answered at once, so that the model can ask again. */
function withCalls(
  run: Run,
  toolCalls: Extract<TextAnswer, { ok: true }>['toolCalls'],
  toolbox: AnswerPorts['toolbox'],
): Run {
  const openCalls = toolCalls.map((call, index): OpenCall => {
    const open = toolbox.newCall({ ...call, position: run.position + index });
    return index < limits.callsPerRound ? open : tooMany(open);
  });
  return { ...run, state: 'open', openCalls, position: run.position + toolCalls.length };
}

function tooMany(call: OpenCall): OpenCall {
  const output = `Not run: at most ${limits.callsPerRound} calls are made at once.`;
  return { ...call, state: 'finished', outcome: { status: 2, output, text: output } };
}
