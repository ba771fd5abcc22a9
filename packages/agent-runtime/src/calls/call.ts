import { randomUUID } from 'node:crypto';
import type { ChangeHolder } from '@parley/database';
import type { Approver } from '@parley/protocol';
import type { TextMessage, TextToolCall, TextUsage } from '@parley/providers';
import type { Spent } from '../questions/run-budget.js';

/** A tool as declared to the model. */
export type ToolDeclaration = {
  readonly name: string;
  readonly description: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
};

/** Where a call is made, as referenced by its rows and its approval. */
export type CallPlace = {
  readonly organizationId: string;
  readonly conversationId: string;
  readonly sessionId: string | null;
  readonly runId: string | null;
};

/** Who owns the changes to the record. */
export function holderOf(place: CallPlace): ChangeHolder {
  const { organizationId, sessionId, runId, conversationId } = place;
  return { organizationId, id: sessionId ?? runId ?? conversationId };
}

/** What built-in tools know of the place. A tool trial has no conversation. */
export type ToolPlace = {
  readonly organizationId: string;
  readonly conversationId: string | null;
};

/** A call as the model made it. */
export type CallRequest = {
  readonly callId: string;
  readonly name: string;
  /** JSON, if the model sticks to it. */
  readonly arguments: string;
  /** The position of its message in the conversation. */
  readonly position: number;
  /** The id of its item at a realtime provider. */
  readonly itemId?: string;
};

export type CallOutcome = {
  readonly status: 'succeeded' | 'failed';
  /** The output for the model. */
  readonly output: string;
  /** The text for people. */
  readonly text: string;
};

/** A recorded call. */
export type MadeCall = CallRequest & { readonly id: string; readonly messageId: string };

/**
 * A call that nobody is working on at the moment. A plain value, so that a question that waits for
 * a person can be stored and resumed elsewhere.
 */
export type OpenCall = MadeCall & AtRest;

export type AtRest =
  | { readonly state: 'new' }
  | ({ readonly state: 'waiting' } & Asked)
  /** It waited in a session that another process has continued: nobody here knows of it yet. */
  | ({ readonly state: 'adopted' } & Asked)
  | {
      /** Its sub-agent waits for the approval of one of its own calls. */
      readonly state: 'suspended';
      readonly run: Run;
      /** How long it has been running, without the time spent waiting. */
      readonly executionMs: number;
      /** It waited in a session that another process has continued: nobody here knows of it yet. */
      readonly isAdopted?: true;
    }
  | { readonly state: 'finished'; readonly outcome: CallOutcome };

/**
 * Why a call no longer starts.
 *
 *   told    Its response is over, and what happens to it is announced.
 *   silent  Its session is over, and nothing is announced.
 *   moved   Another process continues its session. The call stops where that one can go on with it.
 */
export type Over = 'told' | 'silent' | 'moved';

/** What a call waits for. */
export type Asked = {
  /** When its approval expires, in ISO 8601. */
  readonly deadline: string;
  /** Who may decide. */
  readonly approvers: readonly Approver[];
};

export function openCall(request: CallRequest): OpenCall {
  const { callId, itemId, name, arguments: input, position } = request;
  const ids = { id: randomUUID(), messageId: randomUUID(), callId };
  const item = itemId === undefined ? {} : { itemId };
  return { ...ids, ...item, name, arguments: input, position, state: 'new' };
}

/** How far a call has got whose sub-agent waits. */
export type Suspension = { readonly run: Run; readonly executionMs: number };

/** A call that was made and recorded elsewhere, and that nobody works on. */
export function adoptCall(
  call: MadeCall,
  { asked, suspended }: { asked: Asked | null; suspended?: Suspension | undefined },
): OpenCall {
  if (suspended) return { ...call, state: 'suspended', ...suspended, isAdopted: true };
  return asked ? { ...call, state: 'adopted', ...asked } : { ...call, state: 'new' };
}

/**
 * The run of an adopted call, for whoever goes on with it now. While the call rests, the run stays
 * as it was stored, so that its approvals count as waiting and it can be stored again.
 */
export function adoptRun(run: Run): Run {
  const openCalls = run.openCalls.map((call): OpenCall => {
    if (call.state === 'suspended') return { ...call, isAdopted: true };
    return call.state === 'waiting' ? { ...call, state: 'adopted' } : call;
  });
  return { ...run, openCalls };
}

/** Whether its sub-agent waits, and neither that nor the call was announced here. */
export function isUnannounced(call: OpenCall): boolean {
  return call.state === 'suspended' && call.isAdopted === true;
}

/** An approval that a call, or a call of its sub-agent, waits for. */
export type WaitingApproval = {
  readonly id: string;
  readonly callId: string;
  readonly messageId: string;
  readonly deadline: string;
  readonly approvers: readonly Approver[];
};

/** All approvals that a call waits for, at any depth. */
export function waitingApprovals(call: OpenCall): WaitingApproval[] {
  if (call.state === 'suspended') return call.run.openCalls.flatMap(waitingApprovals);
  if (call.state !== 'waiting') return [];
  const { id, callId, messageId, deadline, approvers } = call;
  return [{ id, callId, messageId, deadline, approvers }];
}

/** What the caller supplies with a question. */
export type Given = {
  /** Appended to the agent's own instructions. */
  readonly instructions: string | null;
  /** Tools that the caller runs itself. */
  readonly tools: readonly ToolDeclaration[];
};

/**
 * An agent's progress towards a text answer: what was said, the open calls, and the cost. A plain
 * value, like its calls.
 */
export type Run = {
  readonly state: 'open' | 'waiting' | 'answered' | 'failed';
  readonly messages: readonly TextMessage[];
  readonly openCalls: readonly OpenCall[];
  readonly rounds: number;
  /** The position of the next tool call's message. */
  readonly position: number;
  /** The answer, or why there is none. */
  readonly answer: string;
  readonly usage: readonly TextUsage[];
  /** What the whole question had used when this was stored; absent before it starts. */
  readonly spent?: Spent;
  readonly given?: Given;
  /**
   * Calls of the caller's own tools. The run ends with them: their results arrive with another
   * question.
   */
  readonly handed?: readonly TextToolCall[];
};

/** A run that has not started. `messages` ends with the question. */
export function newRun(messages: readonly TextMessage[], position: number, given?: Given): Run {
  const fresh = { openCalls: [], rounds: 0, answer: '', usage: [] };
  return { state: 'open', messages, position, ...fresh, ...(given && { given }) };
}
