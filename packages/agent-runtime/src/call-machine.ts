import type { ApprovalDesk, CallOfOrganization } from '@parley/approvals';
import { customEvent } from '@parley/protocol';
import { argumentsHash, parseArguments, type ParsedArguments } from './arguments.js';
import { attempt } from './attempt.js';
import type { OpenCall, Run } from './call.js';
import { CallEnds, type CallEndsOptions } from './call-ends.js';
import { startEvent } from './call-events.js';
import { isSilenced, runTool } from './run-tool.js';
import type { BoundTool } from './tool.js';
import { WaitingRoom } from './waiting-room.js';

/**
 * Takes calls from one resting place to the next. Nothing is told before it is recorded, nothing runs before it is claimed in PostgreSQL, and
 * every failure on the way ends in one outcome that says what happened:
 *
 *     record ─▶ start event ─▶ arguments fit? ─▶ approval opened ─▶ rests
 *                                             └▶ claim ─▶ run ─▶ finish ─▶ done event
 *     at rest: read the decision ─▶ same arguments? ─▶ approved event ─▶ claim ─▶ run ─▶ finish ─▶ done event
 */
export type MachineOptions = CallEndsOptions & {
  /** The call of the sub-agent that makes these calls. */
  readonly parentId: string | null;
  readonly owner: string | null;
  readonly tools: ReadonlyMap<string, BoundTool>;
  readonly room: WaitingRoom;
  readonly approvals: Pick<ApprovalDesk, 'open' | 'cancel'>;
  readonly approvalTimeoutSeconds: number;
};

/** A question has no socket on which its user could decide. */
const onlyInSession =
  'Only the user of a realtime session can approve this tool. It cannot be used here, and was not run.';

type Work = {
  readonly call: OpenCall;
  readonly tool: BoundTool;
  readonly parsed: ParsedArguments & { ok: true };
  readonly signal: AbortSignal;
};

export class CallMachine {
  readonly #options: MachineOptions;
  readonly #ends: CallEnds;
  readonly #onTheirWay = new Map<string, Promise<OpenCall>>();

  constructor(options: MachineOptions) {
    this.#options = options;
    this.#ends = new CallEnds(options);
  }

  /** A call that is on its way goes on once, however many ask for it: a hint, a timer and a sweep may meet. */
  advance(call: OpenCall, signal: AbortSignal): Promise<OpenCall> {
    const onItsWay = this.#onTheirWay.get(call.id);
    if (onItsWay) return onItsWay;
    const advancing = this.#step(call, signal).finally(() => this.#onTheirWay.delete(call.id));
    this.#onTheirWay.set(call.id, advancing);
    return advancing;
  }

  /** The calls of a run that does not go on: nobody shall approve them any more. */
  async endCalls({ openCalls }: Run, signal: AbortSignal): Promise<void> {
    const toolless = new CallMachine({ ...this.#options, tools: new Map() });
    await Promise.all(openCalls.map((call) => toolless.advance(call, signal)));
  }

  async #step(call: OpenCall, signal: AbortSignal): Promise<OpenCall> {
    if (call.state === 'finished') return call;
    const tool = this.#options.tools.get(call.name);
    const parsed = parseArguments(call.arguments, tool?.declaration.parameters);
    if (call.state === 'new') return this.#begin(call, { tool, parsed, signal });
    // A tool that is gone or asks for other arguments since the call was stored.
    if (!tool || !parsed.ok) {
      if (call.run) await this.endCalls(call.run, signal);
      else await this.#cancelApproval(call.id);
      return this.#ends.end(call, 'refused', { tool, signal });
    }
    const work: Work = { call, tool, parsed, signal };
    if (call.run) return this.#run(work);
    return signal.aborted ? this.#withdraw(work) : this.#onDecision(work);
  }

  async #begin(
    call: OpenCall,
    given: { tool: BoundTool | undefined; parsed: ParsedArguments; signal: AbortSignal },
  ): Promise<OpenCall> {
    const { tool, parsed, signal } = given;
    const { place, agentId, parentId, records } = this.#options;
    const createdAt = new Date();
    const start = () =>
      this.#tell(signal, startEvent(call, { agentId, arguments: parsed.value, tool }));
    const { conversationId, sessionId, runId } = place;
    const { id, messageId, callId, name, position } = call;
    const made = {
      ...{ id, messageId, conversationId, sessionId, runId, parentId, agentId, callId, name },
      arguments: parsed.value,
      position,
      createdAt,
    };
    const record = () => records.record(made);
    if (!(await this.#attempt('recording tool call failed', id, record))) {
      start();
      return this.#ends.withoutRecord(call, { tool, signal }, made);
    }
    start();
    if (!tool)
      return this.#ends.end(call, 'refused', {
        signal,
        says: `There is no tool named ${call.name}.`,
      });
    if (!parsed.ok) return this.#ends.end(call, 'refused', { tool, signal, says: parsed.message });
    const work: Work = { call, tool, parsed, signal };
    return tool.approvalRequired ? this.#ask(work) : this.#run(work);
  }

  /** Fails closed: without its record nobody could decide it. */
  async #ask(work: Work): Promise<OpenCall> {
    const { call, signal } = work;
    const { approvers } = work.tool;
    const { approvals, place, owner, approvalTimeoutSeconds: timeoutSeconds } = this.#options;
    if (place.sessionId === null && !approvers.includes('api'))
      return this.#ends.end(call, 'refused', { ...work, says: onlyInSession });
    if (!this.#options.room.enter(call.id))
      return this.#ends.end(call, 'refused', { ...work, says: WaitingRoom.full });
    try {
      const opening = { timeoutMs: timeoutSeconds * 1000, approvers, owner };
      const deadline = await approvals.open(this.#named(call.id), opening);
      const { callId, messageId } = call;
      const waiting = { callId, messageId, timeoutSeconds, approvers: [...approvers] };
      this.#tell(signal, customEvent('approval.waiting', waiting));
      const until = { deadline: deadline.toISOString(), approvers };
      return { ...call, ...until, state: 'waiting', waitingFor: [call.id] };
    } catch (err) {
      this.#options.report('opening approval failed', { err, call: call.id });
      await this.#cancelApproval(call.id);
      return this.#ends.end(call, 'not_asked', work);
    }
  }

  async #onDecision(work: Work): Promise<OpenCall> {
    const { call, parsed, signal } = work;
    let row;
    try {
      row = await this.#options.records.find(call.id);
    } catch (err) {
      this.#options.report('reading decision failed', { err, call: call.id });
      return call;
    }
    if (row?.approval === 'waiting') return call;
    this.#options.room.leave(call.id);
    const { callId, messageId, approvers } = call;
    const decided = { callId, messageId, approvers: [...approvers] };
    if (row?.approval === 'expired') this.#tell(signal, customEvent('approval.expired', decided));
    if (row?.approval !== 'approved')
      return this.#ends.end(call, row?.approval ?? 'cancelled', work);
    if (argumentsHash(row.name, row.arguments) !== argumentsHash(call.name, parsed.value))
      return this.#ends.end(call, 'other_arguments', work);
    this.#tell(signal, customEvent('approval.approved', decided));
    return this.#run(work);
  }

  async #run(work: Work): Promise<OpenCall> {
    const { tool, parsed, signal } = work;
    if (!work.call.run) {
      const refused = await this.#claim(work);
      if (refused) return refused;
    }
    const { metrics, report } = this.#options;
    metrics.started(tool.kind);
    const startedAt = performance.now();
    const ran = await runTool(tool, { call: work.call, arguments: parsed.value, signal });
    metrics.stopped(tool.kind);
    const executionMs = work.call.executionMs + (performance.now() - startedAt);
    const call: OpenCall = { ...work.call, deadline: null, executionMs };
    switch (ran.kind) {
      case 'suspended':
        return { ...call, state: 'waiting', run: ran.run, waitingFor: waitingIn(ran.run) };
      case 'result': {
        const ending = ran.result.status === 1 ? 'succeeded' : 'failed';
        return this.#ends.finish(call, { tool, signal, ending, result: ran.result });
      }
      case 'failed':
        return this.#ends.end(call, 'failed', { tool, signal, says: ran.says });
      case 'broken':
        report('tool failed', { err: ran.err, call: call.id, kind: tool.kind });
        return this.#ends.end(call, 'failed', work);
      case 'timed_out':
      case 'interrupted':
        return this.#ends.end(call, ran.kind, work);
    }
  }

  /** Undefined: the call is ours to run, now and never again. Otherwise how it ended instead. */
  async #claim({ call, tool, signal }: Work): Promise<OpenCall | undefined> {
    if (signal.aborted) return this.#ends.end(call, 'cancelled', { tool, signal });
    const { records, report } = this.#options;
    try {
      if (await records.claim(call.id)) return undefined;
      const row = await records.find(call.id);
      if (row?.finishedAt) {
        const output = typeof row.result === 'string' ? row.result : JSON.stringify(row.result);
        const status = row.status === 1 ? 1 : 2;
        const ending = status === 1 ? 'succeeded' : 'failed';
        return this.#ends.settle(call, { tool, signal, ending, result: { status, output } });
      }
      const { startedAt, approval } = row ?? { startedAt: null, approval: null };
      const decided = approval === 'rejected' || approval === 'expired' ? approval : 'cancelled';
      return this.#ends.end(call, startedAt ? 'unknown' : decided, { tool, signal });
    } catch (err) {
      report('claiming tool call failed', { err, call: call.id });
      return this.#ends.withoutRecord(call, { tool, signal });
    }
  }

  /** The session is over: nobody shall approve the call any more. */
  async #withdraw(work: Work): Promise<OpenCall> {
    await this.#cancelApproval(work.call.id);
    return this.#ends.end(work.call, 'cancelled', work);
  }

  async #cancelApproval(id: string): Promise<void> {
    const { approvals, room } = this.#options;
    room.leave(id);
    await this.#attempt('cancelling approval failed', id, () => approvals.cancel(this.#named(id)));
  }

  #named(id: string): CallOfOrganization {
    return { id, organizationId: this.#options.place.organizationId };
  }

  #attempt(event: string, call: string, work: () => Promise<unknown>): Promise<boolean> {
    return attempt(this.#options.report, { event, call }, work);
  }

  #tell(signal: AbortSignal, event: string): void {
    if (!isSilenced(signal)) this.#options.emit(event);
  }
}

function waitingIn({ openCalls }: Run): string[] {
  return openCalls.flatMap(({ waitingFor }) => waitingFor);
}
