import type { Core } from '../core/state.js';
import type { Approval, Message, ToolCall } from './conversation.js';

/** What a page shows, computed on demand. */
export type Views = {
  readonly messages: readonly Message[];
  readonly calls: readonly ToolCall[];
  readonly approvals: readonly Approval[];
};

export function viewsOf(core: Core, decide: (callId: string, approve: boolean) => void): Views {
  return {
    messages: core.lines.map(({ message }) => message),
    calls: core.calls,
    approvals: core.approvals.map(({ callId, state, decidable, deadline }) => ({
      callId,
      call: core.calls.find((call) => call.callId === callId),
      state,
      decidable,
      deadline: new Date(deadline),
      get secondsLeft() {
        return Math.max(0, Math.ceil((deadline - Date.now()) / 1000));
      },
      approve: () => decide(callId, true),
      reject: () => decide(callId, false),
    })),
  };
}
