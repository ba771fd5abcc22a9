import type { NewToolCall, RecordJournal } from '@parley/database';
import type { Report } from './attempt.js';
import { holderOf, type CallPlace, type OpenCall } from './call.js';
import { doneEvent } from './call-events.js';
import type { CallRecords } from './call-records.js';
import { begun, endings, type CallEnding, type Ending } from './endings.js';
import { bounded, recordedResult, shownText } from './result-text.js';
import { isSilenced } from './run-tool.js';
import type { BoundTool, ToolResult } from './tool.js';

export type ToolMetrics = {
  readonly started: (kind: BoundTool['kind']) => void;
  readonly stopped: (kind: BoundTool['kind']) => void;
  readonly finished: (kind: BoundTool['kind'] | 'unknown', end: MeasuredEnd) => void;
};

/** Of a call whose tool was never run, the time is 0. */
export type MeasuredEnd = { readonly ending: CallEnding; readonly executionMs: number };

export type CallEndsOptions = {
  readonly agentId: string;
  readonly emit: (event: string) => void;
  readonly records: CallRecords;
  readonly place: CallPlace;
  readonly journal: Pick<RecordJournal, 'add'>;
  readonly metrics: ToolMetrics;
  readonly report: Report;
};

type Ended = { readonly tool?: BoundTool | undefined; readonly signal: AbortSignal };
type End = Ended & { readonly ending: CallEnding; readonly result: ToolResult };

const notRecorded = {
  ending: 'not_recorded',
  result: { status: 2, output: endings.not_recorded },
} as const satisfies { ending: Ending; result: ToolResult };

/** The end of each call: recorded, counted and told. */
export class CallEnds {
  readonly #options: CallEndsOptions;

  constructor(options: CallEndsOptions) {
    this.#options = options;
  }

  /** Without a result of the tool; `says` tells the model more than the ending's own words. */
  end(
    call: OpenCall,
    ending: Ending,
    { says, ...ended }: Ended & { readonly says?: string },
  ): OpenCall {
    const result: ToolResult = { status: 2, output: says ?? endings[ending] };
    return this.finish(call, { ...ended, ending, result });
  }

  finish(call: OpenCall, end: End): OpenCall {
    this.#record(call, end);
    return this.settle(call, end);
  }

  /** PostgreSQL is away, so the call is not made; `made` is what it has to be told before that. */
  withoutRecord(call: OpenCall, ended: Ended, made?: NewToolCall): OpenCall {
    this.#record(call, notRecorded, made);
    return this.settle(call, { ...ended, ...notRecorded });
  }

  /** The record knows it already. */
  settle(call: OpenCall, { tool, signal, ending, result }: End): OpenCall {
    const { agentId, metrics, emit } = this.#options;
    const { output, text } = wordsOf(result);
    const outcome = { status: result.status, output, text };
    metrics.finished(tool?.kind ?? 'unknown', { ending, executionMs: call.executionMs });
    if (!isSilenced(signal)) emit(doneEvent(call, { agentId, result, text, face: tool?.face }));
    return { ...call, state: 'finished', waitingFor: [], deadline: null, run: null, outcome };
  }

  #record(
    { id, run, executionMs }: OpenCall,
    { ending, result }: Pick<End, 'ending' | 'result'>,
    made?: NewToolCall,
  ): void {
    const { output, text } = wordsOf(result);
    const end = {
      status: result.status,
      result: recordedResult(output),
      text,
      executionMs: executionMs === 0 ? null : Math.round(executionMs),
      notRun: run === null && !begun.has(ending),
    };
    const { journal, place } = this.#options;
    journal.add(holderOf(place), { kind: 'call', id, end, ...(made && { made }) });
  }
}

function wordsOf(result: ToolResult): { output: string; text: string } {
  return { output: bounded(result.output), text: shownText(result.text ?? result.output) };
}
