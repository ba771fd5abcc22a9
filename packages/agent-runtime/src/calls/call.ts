import { randomUUID } from 'node:crypto';
import type { ChangeHolder } from '@parley/database';
import type { Approver } from '@parley/protocol';
import type { TextMessage, TextToolCall, TextUsage } from '@parley/providers';
import type { Spent } from '../questions/run-budget.js';

/** What the model is told about a tool. */
export type ToolDeclaration = {
  readonly name: string;
  readonly description: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
};

/** Where a call is made: its rows and its approval name these. */
export type CallPlace = {
  readonly organizationId: string;
  readonly conversationId: string;
  readonly sessionId: string | null;
  readonly runId: string | null;
};

/** Whose changes to the record they are. */
export function holderOf(place: CallPlace): ChangeHolder {
  const { organizationId, sessionId, runId, conversationId } = place;
  return { organizationId, id: sessionId ?? runId ?? conversationId };
}

/** What built-in tools know of it. A tool that is tried is in no conversation. */
export type ToolPlace = {
  readonly organizationId: string;
  readonly conversationId: string | null;
};

/** A call as the model made it. */
export type CallRequest = {
  readonly callId: string;
  readonly name: string;
  /** JSON, as far as the model keeps to it. */
  readonly arguments: string;
  /** Where its message stands in the conversation. */
  readonly position: number;
};

export type CallOutcome = {
  readonly status: 'succeeded' | 'failed';
  /** What the model is told. */
  readonly output: string;
  /** What people are shown. */
  readonly text: string;
};

/** A call that has its rows. */
export type MadeCall = CallRequest & { readonly id: string; readonly messageId: string };

/** A call that is nobody's work at the moment. A plain value, so that a question that waits for a person can be stored and go on elsewhere. */
export type OpenCall = MadeCall & AtRest;

export type AtRest =
  | { readonly state: 'new' }
  | {
      readonly state: 'waiting';
      /** When its approval ends, in ISO 8601. */
      readonly deadline: string;
      /** Who may decide. */
      readonly approvers: readonly Approver[];
    }
  | {
      /** Its sub-agent waits for the approval of a call of its own. */
      readonly state: 'suspended';
      readonly run: Run;
      /** How long it has been running, without the time that it waited. */
      readonly executionMs: number;
    }
  | { readonly state: 'finished'; readonly outcome: CallOutcome };

export function openCall({ callId, name, arguments: input, position }: CallRequest): OpenCall {
  const ids = { id: randomUUID(), messageId: randomUUID() };
  return { ...ids, callId, name, arguments: input, position, state: 'new' };
}

/** An approval that a call, or a call of its sub-agent, waits for. */
export type WaitingApproval = {
  readonly id: string;
  readonly callId: string;
  readonly messageId: string;
  readonly deadline: string;
  readonly approvers: readonly Approver[];
};

/** All approvals that a call waits for, however deep. */
export function waitingApprovals(call: OpenCall): WaitingApproval[] {
  if (call.state === 'suspended') return call.run.openCalls.flatMap(waitingApprovals);
  if (call.state !== 'waiting') return [];
  const { id, callId, messageId, deadline, approvers } = call;
  return [{ id, callId, messageId, deadline, approvers }];
}

/** What the caller of a question brings along for it. */
export type Given = {
  /** Told to the model after the agent's own. */
  readonly instructions: string | null;
  /** Tools that the caller runs itself. */
  readonly tools: readonly ToolDeclaration[];
};

/** An agent's way to a text answer: what was said, the calls that are open, and what it cost. A plain value, like its calls. */
export type Run = {
  readonly state: 'open' | 'waiting' | 'answered' | 'failed';
  readonly messages: readonly TextMessage[];
  readonly openCalls: readonly OpenCall[];
  readonly rounds: number;
  /** Where the message of the next tool call stands. */
  readonly position: number;
  /** What came of it: the answer, or why there is none. */
  readonly answer: string;
  readonly usage: readonly TextUsage[];
  /** What the whole question had used when this was stored; nothing before it began. */
  readonly spent?: Spent;
  readonly given?: Given;
  /** Calls of the caller's own tools. The run ends with them: their results come with another question. */
  readonly handed?: readonly TextToolCall[];
};

/** A run that has not begun. `messages` ends with the question. */
export function newRun(messages: readonly TextMessage[], position: number, given?: Given): Run {
  const fresh = { openCalls: [], rounds: 0, answer: '', usage: [] };
  return { state: 'open', messages, position, ...fresh, ...(given && { given }) };
}
