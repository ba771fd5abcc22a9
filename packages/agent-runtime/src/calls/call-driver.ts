import type { ApprovalDesk, CallOfOrganization } from '@parley/approvals';
import type { NewToolCall, RecordJournal } from '@parley/database';
import { argumentsHash, parseArguments, type ParsedArguments } from '../tools/arguments.js';
import { attempt, type Report } from '../tools/attempt.js';
import { recordedResult } from '../tools/result-text.js';
import type { BoundTool } from '../tools/tool.js';
import type { ToolMetrics } from '../tools/tool-metrics.js';
import { storedSuspension } from '../questions/stored-run.js';
import { holderOf, type CallPlace, type OpenCall, type Run, type Suspension } from './call.js';
import { approvalEvent, doneEvent, startEvent } from './call-events.js';
import {
  isAtRest,
  step,
  type Call,
  type CallEnd,
  type Effect,
  type Input,
} from './call-machine.js';
import type { Standing, Terms } from './call-machine.js';
import type { Emit } from '../runtime.js';
import type { CallRecords } from './call-records.js';
import { overBy, runTool } from './run-tool.js';
import { WaitingRoom } from './waiting-room.js';

export type DriverOptions = {
  readonly place: CallPlace;
  readonly agentId: string;
  /** The call of the sub-agent that makes these calls. */
  readonly parentId: string | null;
  readonly owner: string | null;
  /** Whether another process may go on with calls whose sub-agents wait. */
  readonly isMovable: boolean;
  readonly tools: ReadonlyMap<string, BoundTool>;
  readonly room: WaitingRoom;
  readonly approvals: Pick<ApprovalDesk, 'open' | 'cancel'>;
  readonly approvalTimeoutSeconds: number;
  readonly records: CallRecords;
  readonly journal: Pick<RecordJournal, 'add'>;
  readonly emit: Emit;
  readonly metrics: ToolMetrics;
  readonly report: Report;
};

/** A question has no socket on which its user could decide. */
const onlyInSession =
  'Only the user of a realtime session can approve this tool. It cannot be used here, and was not run.';

/** What advancing a call needs. */
type Means = {
  readonly tool: BoundTool | undefined;
  readonly parsed: ParsedArguments;
  readonly signal: AbortSignal;
};

/**
 * Executes what a call's state machine decides and feeds the results back, until the call is at
 * rest.
 */
export class CallDriver {
  readonly #options: DriverOptions;
  readonly #onTheirWay = new Map<string, Promise<OpenCall>>();
  /** The calls whose sub-agents' progress is being stored. */
  readonly #keeping = new Map<string, Promise<unknown>>();

  constructor(options: DriverOptions) {
    this.#options = options;
  }

  /**
   * A call in progress is advanced once, however many request it: a hint, a timer and a sweep may
   * coincide.
   */
  advance(call: OpenCall, signal: AbortSignal): Promise<OpenCall> {
    const onItsWay = this.#onTheirWay.get(call.id);
    if (onItsWay) return onItsWay;
    const advancing = this.#advance(call, signal).finally(() => this.#onTheirWay.delete(call.id));
    this.#onTheirWay.set(call.id, advancing);
    return advancing;
  }

  /** Ends the calls of a run that does not continue, so that nobody can approve them any more. */
  async endCalls({ openCalls }: Run, signal: AbortSignal): Promise<void> {
    const toolless = new CallDriver({ ...this.#options, tools: new Map() });
    await Promise.all(openCalls.map((call) => toolless.advance(call, signal)));
  }

  async #advance(open: OpenCall, signal: AbortSignal): Promise<OpenCall> {
    const tool = this.#options.tools.get(open.name);
    const parsed = parseArguments(open.arguments, tool?.declaration.parameters);
    const means: Means = { tool, parsed, signal };
    let call: Call = open;
    let input: Input | undefined = { kind: 'go', terms: termsOf(open, means) };
    while (input) {
      if (signal.aborted) ({ call } = step(call, { kind: 'abort', over: overBy(signal) }));
      const next = step(call, input);
      ({ call } = next);
      input = await this.#carryOutAll(call, next.effects, means);
    }
    if (!isAtRest(call)) throw new Error(`A call stopped while ${call.state}.`);
    // Whoever continues the session looks for it.
    if (signal.aborted) await this.#keeping.get(call.id);
    return call;
  }

  /** Returns the answer to the last one. */
  async #carryOutAll(
    call: Call,
    effects: readonly Effect[],
    means: Means,
  ): Promise<Input | undefined> {
    let input: Input | undefined;
    try {
      for (const effect of effects) input = await this.#carryOut(call, effect, means);
      return input;
    } catch (err) {
      this.#options.report('tool call failed', { err, call: call.id });
      return { kind: 'broke' };
    }
  }

  #carryOut(call: Call, effect: Effect, means: Means): Promise<Input> | undefined {
    const { agentId, approvalTimeoutSeconds: timeoutSeconds, emit, room } = this.#options;
    switch (effect.kind) {
      case 'record':
        return this.#record(call, means);
      case 'open_approval':
        return this.#openApproval(call, effect.approvers);
      case 'read_decision':
        return this.#readDecision(call, means);
      case 'cancel_approval':
        return this.#cancelApproval(call);
      case 'claim':
        return this.#claim(call);
      case 'run':
        return this.#run(call, effect, means);
      case 'keep_run':
        this.#keepRun(call, effect);
        return undefined;
      case 'resume_run':
        return this.#resumeRun(call);
      case 'end_run':
        return this.endCalls(effect.run, means.signal).then(() => ({ kind: 'withdrawn' }));
      case 'enter_room':
        room.seat([call.id]);
        return undefined;
      case 'leave_room':
        room.leave(call.id);
        return undefined;
      case 'tell_start':
        emit(startEvent(call, { agentId, arguments: means.parsed.value, tool: means.tool }));
        return undefined;
      case 'tell_approval': {
        const { event, approvers, deadline } = effect;
        const left = deadline === undefined ? timeoutSeconds : secondsUntil(deadline);
        const told = approvalEvent(call, event, { approvers, timeoutSeconds: left });
        const { id, callId } = call;
        if (event === 'waiting') emit(told, { id, callId, approvers });
        else emit(told);
        return undefined;
      }
      case 'end':
        this.#end(call, effect, means);
        return undefined;
    }
  }

  async #record(call: Call, means: Means): Promise<Input> {
    const record = () => this.#options.records.record(this.#rowOf(call, means));
    const recorded = await this.#attempt('recording tool call failed', call, record);
    return { kind: recorded ? 'recorded' : 'not_recorded' };
  }

  /** Fails closed: without a record, nobody could decide it. */
  async #openApproval(call: Call, approvers: BoundTool['approvers']): Promise<Input> {
    const { approvals, place, owner, room, approvalTimeoutSeconds, report } = this.#options;
    if (place.sessionId === null && !approvers.includes('api'))
      return { kind: 'unaskable', says: onlyInSession };
    if (!room.enter(call.id)) return { kind: 'unaskable', says: WaitingRoom.full };
    try {
      const asked = { timeoutMs: approvalTimeoutSeconds * 1000, approvers, owner };
      const deadline = await approvals.open(this.#named(call), asked);
      return { kind: 'opened', deadline: deadline.toISOString() };
    } catch (err) {
      report('opening approval failed', { err, call: call.id });
      return { kind: 'not_opened' };
    }
  }

  async #readDecision(call: Call, { parsed }: Means): Promise<Input> {
    const { records, report } = this.#options;
    try {
      const row = await records.find(call.id);
      const approval = row?.approval ?? 'cancelled';
      if (approval === 'waiting') return { kind: 'undecided' };
      const asked = argumentsHash(call.name, parsed.value);
      const fits = row !== undefined && argumentsHash(row.name, row.arguments) === asked;
      return { kind: 'decided', approval, fits };
    } catch (err) {
      report('reading decision failed', { err, call: call.id });
      return { kind: 'undecided' };
    }
  }

  async #cancelApproval(call: Call): Promise<Input> {
    const { approvals, room } = this.#options;
    room.leave(call.id);
    const cancel = () => approvals.cancel(this.#named(call));
    await this.#attempt('cancelling approval failed', call, cancel);
    return { kind: 'withdrawn' };
  }

  async #claim({ id }: Call): Promise<Input> {
    const { records, report } = this.#options;
    try {
      if (await records.claim(id)) return { kind: 'claimed' };
      return { kind: 'taken', standing: standingOf(await records.find(id)) };
    } catch (err) {
      report('claiming tool call failed', { err, call: id });
      return { kind: 'not_claimed' };
    }
  }

  async #run(
    call: Call,
    { run, isAdopted }: Extract<Effect, { kind: 'run' }>,
    { tool, parsed, signal }: Means,
  ): Promise<Input> {
    if (!tool || !parsed.ok) throw new Error('A call that is refused is not run.');
    const { metrics, report } = this.#options;
    metrics.started(tool.kind);
    const startedAt = performance.now();
    const ran = await runTool(tool, { call, run, isAdopted, arguments: parsed.value, signal });
    metrics.stopped(tool.kind);
    if (ran.kind === 'broken')
      report('tool failed', { err: ran.err, call: call.id, kind: tool.kind });
    return { kind: 'ran', ran, milliseconds: performance.now() - startedAt };
  }

  /** The calls of a sub-agent are part of what is kept for the call in which they were made. */
  get #keepsRuns(): boolean {
    return this.#options.isMovable && this.#options.parentId === null;
  }

  /** Nobody waits for it: the client knows of the approval already, and may decide. */
  #keepRun(call: Call, suspension: Suspension): void {
    if (!this.#keepsRuns) return;
    const keep = () => this.#options.records.suspend(call.id, storedSuspension(suspension));
    const keeping = this.#attempt('keeping sub-agent’s progress failed', call, keep);
    this.#keeping.set(call.id, keeping);
  }

  async #resumeRun(call: Call): Promise<Input> {
    const { records, report } = this.#options;
    if (!this.#keepsRuns) return { kind: 'resumed' };
    await this.#keeping.get(call.id);
    this.#keeping.delete(call.id);
    try {
      return { kind: (await records.resume(call.id)) ? 'resumed' : 'lost' };
    } catch (err) {
      report('resuming sub-agent failed', { err, call: call.id });
      return { kind: 'not_resumed' };
    }
  }

  /** The only place that reports the end of a call: to the record, the metrics and the client. */
  #end(call: Call, end: CallEnd, means: Means): void {
    const { agentId, emit, journal, metrics, place } = this.#options;
    const { ending, outcome, executionMs, begun, missing, told } = end;
    const { status, text } = outcome;
    const change = {
      kind: 'call',
      id: call.id,
      sessionId: place.sessionId,
      end: {
        status,
        text,
        result: recordedResult(outcome.output),
        notRun: !begun,
        executionMs: executionMs === 0 ? null : Math.round(executionMs),
      },
      // If its session or question is over or elsewhere, so is what is inside.
      endsInside: told && means.tool?.kind === 'subagent',
      ...(missing === 'call' && { made: this.#rowOf(call, means) }),
    } as const;
    if (missing !== 'nothing') journal.add(holderOf(place), change);
    metrics.finished(means.tool?.kind ?? 'unknown', { ending, executionMs });
    if (told) emit(doneEvent(call, end, { agentId, face: means.tool?.face }));
  }

  #rowOf(call: Call, { parsed }: Means): NewToolCall {
    const { place, agentId, parentId } = this.#options;
    const { conversationId, sessionId, runId } = place;
    const { id, messageId, callId, itemId = null, name, position } = call;
    return {
      id,
      messageId,
      conversationId,
      sessionId,
      runId,
      parentId,
      agentId,
      callId,
      itemId,
      name,
      arguments: parsed.value,
      position,
      createdAt: new Date(),
    };
  }

  #named({ id }: Call): CallOfOrganization {
    const { organizationId, sessionId } = this.#options.place;
    return { id, organizationId, sessionId };
  }

  #attempt(event: string, { id }: Call, work: () => Promise<unknown>): Promise<boolean> {
    return attempt(this.#options.report, { event, call: id }, work);
  }
}

function termsOf({ name }: OpenCall, { tool, parsed }: Means): Terms {
  if (!tool) return { kind: 'refused', says: `There is no tool named ${name}.` };
  if (!parsed.ok) return { kind: 'refused', says: parsed.message };
  const { approvers } = tool;
  return tool.approvalRequired ? { kind: 'approval', approvers } : { kind: 'free' };
}

function secondsUntil(deadline: string): number {
  return Math.max(0, Math.ceil((Date.parse(deadline) - Date.now()) / 1000));
}

function standingOf(row: Awaited<ReturnType<CallRecords['find']>>): Standing {
  if (row?.finishedAt) {
    const output = typeof row.result === 'string' ? row.result : JSON.stringify(row.result);
    const status = row.status === 'succeeded' ? 'succeeded' : 'failed';
    return { kind: 'finished', result: { status, output } };
  }
  if (row?.startedAt) return { kind: 'started' };
  const approval = row?.approval;
  const decided = approval === 'rejected' || approval === 'expired' ? approval : 'cancelled';
  return { kind: 'stopped', approval: decided };
}
