import type { TextAnswer, TextMessage, TextUsage } from '@parley/providers';
import type { OpenCall, ToolDeclaration, Run } from '../calls/call.js';
import { overBy } from '../calls/run-tool.js';
import { RunBudget } from './run-budget.js';
import type { RunWatch, Toolbox } from '../runtime.js';

/** Stops a model that goes round in circles. */
const limits = { rounds: 10, callsPerRound: 16 } as const;

export type AnswerPorts = {
  readonly instructions: string;
  readonly toolbox: Pick<Toolbox, 'declarations' | 'newCall' | 'advance'>;
  readonly complete: (
    request: { messages: readonly TextMessage[]; tools: readonly ToolDeclaration[] },
    signal: AbortSignal,
    onText: (delta: string) => void,
  ) => Promise<TextAnswer>;
  readonly watch?: RunWatch | undefined;
  readonly onUsage?: ((usage: TextUsage) => void) | undefined;
  /** Shared with the agents that it asks. */
  readonly budget: RunBudget;
  /** Whether this is the answer that the whole budget is for. */
  readonly leads: boolean;
};

/**
 * Advances a run as far as possible now: to its answer, its failure, or a call that waits for
 * approval. All calls of a round finish before the next model call. Throws the signal's reason if
 * it fires.
 */
export async function answer(run: Run, ports: AnswerPorts, signal: AbortSignal): Promise<Run> {
  const { budget, watch } = ports;
  budget.resume(run.spent);
  let current = run;
  while (current.state === 'open' || current.state === 'waiting') {
    current = current.openCalls.length > 0 ? await finishCalls(current, ports, signal) : current;
    if (signal.aborted) await withdrawCalls(current, ports, signal);
    signal.throwIfAborted();
    if (current.state === 'waiting') return { ...current, spent: budget.spent };
    if (current.handed) return { ...current, state: 'answered', spent: budget.spent };
    current = { ...(await ask(current, ports, signal)), spent: budget.spent };
    if (current.state === 'open') await watch?.onProgress?.(current);
  }
  return current;
}

async function finishCalls(run: Run, { toolbox }: AnswerPorts, signal: AbortSignal): Promise<Run> {
  const openCalls = await Promise.all(run.openCalls.map((call) => toolbox.advance(call, signal)));
  const finished = openCalls.filter((call) => call.state === 'finished');
  if (finished.length < openCalls.length) return { ...run, state: 'waiting', openCalls };
  const outputs = finished.map(({ callId, outcome }): TextMessage => ({
    role: 'tool',
    callId,
    content: outcome.output,
  }));
  return { ...run, state: 'open', openCalls: [], messages: [...run.messages, ...outputs] };
}

/**
 * Calls that wait do not listen to the signal. Unless the run's session or question is over or
 * elsewhere, nobody else would withdraw them.
 */
async function withdrawCalls(
  run: Run,
  { toolbox }: AnswerPorts,
  signal: AbortSignal,
): Promise<void> {
  if (overBy(signal) !== 'told') return;
  await Promise.all(run.openCalls.map((call) => toolbox.advance(call, signal)));
}

async function ask(run: Run, ports: AnswerPorts, signal: AbortSignal): Promise<Run> {
  if (run.rounds >= limits.rounds)
    return failed(run, `No answer after ${limits.rounds} rounds of tool calls.`);
  const granted = ports.budget.takeModelCall(ports.leads);
  if (granted === 'no') return failed(run, RunBudget.usedUp);
  const isLast = granted === 'last';
  const { given } = run;
  const instructions = [ports.instructions, given?.instructions, isLast ? lastCall : '']
    .filter(Boolean)
    .join('\n\n');
  const tools = isLast ? [] : [...ports.toolbox.declarations, ...(given?.tools ?? [])];
  const system: TextMessage[] =
    instructions === '' ? [] : [{ role: 'system', content: instructions }];
  const reply = await ports.complete(
    { messages: [...system, ...run.messages], tools },
    signal,
    ports.watch?.onText ?? (() => undefined),
  );
  signal.throwIfAborted();
  if (!reply.ok) return failed(run, reply.reason);
  if (reply.usage) ports.onUsage?.(reply.usage);
  const usage = reply.usage ? [...run.usage, reply.usage] : run.usage;
  const { text: content, toolCalls } = reply;
  const said: TextMessage = { role: 'assistant', content, toolCalls };
  const next: Run = { ...run, messages: [...run.messages, said], usage, rounds: run.rounds + 1 };
  if (toolCalls.length === 0) return { ...next, state: 'answered', answer: content };
  return isLast ? failed(next, RunBudget.usedUp) : withCalls(next, toolCalls, ports);
}

/** Added to the instructions when the budget allows no more tool calls. */
const lastCall = `${RunBudget.usedUp} You cannot call tools any more. Answer now with what you have, and say what is missing.`;

function failed(run: Run, answer: string): Run {
  return { ...run, state: 'failed', answer };
}

/**
 * Calls beyond a limit are answered immediately, so that the model can continue without them. Calls
 * of the caller's tools are left to the caller.
 */
function withCalls(
  run: Run,
  toolCalls: Extract<TextAnswer, { ok: true }>['toolCalls'],
  { toolbox, budget }: AnswerPorts,
): Run {
  const isGiven = (name: string) => run.given?.tools.some((tool) => tool.name === name) === true;
  const handed = toolCalls.filter(({ name }) => isGiven(name));
  const own = toolCalls.filter(({ name }) => !isGiven(name));
  const openCalls = own.map((call, index): OpenCall => {
    const open = toolbox.newCall({ ...call, position: run.position + index });
    if (index >= limits.callsPerRound) return notRun(open, tooMany);
    return budget.takeToolCall() ? open : notRun(open, RunBudget.usedUp);
  });
  const next: Run = { ...run, state: 'open', openCalls, position: run.position + own.length };
  return handed.length > 0 ? { ...next, handed, answer: contentOf(run) } : next;
}

/** What the model said next to its calls. */
function contentOf({ messages }: Run): string {
  return messages.at(-1)?.content ?? '';
}

const tooMany = `At most ${limits.callsPerRound} calls are made at once.`;

function notRun(call: OpenCall, because: string): OpenCall {
  const output = `Not run. ${because}`;
  return { ...call, state: 'finished', outcome: { status: 'failed', output, text: output } };
}
