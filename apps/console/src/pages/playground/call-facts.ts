import type { Traffic } from '@parley/client';
import { countIn, fieldsOf, textIn, type Fields } from './fields.js';

export type Subagent = { readonly id: string; readonly name: string };

/** What the events reveal about a call beyond the session's own data. */
export type CallFacts = {
  readonly startedAt: number;
  readonly endedAt?: number;
  /** The duration of the tool itself, as measured by the service. */
  readonly executionMs?: number;
  /** The agent that made the call: the session's agent, or a sub-agent. */
  readonly agentId?: string;
  /** The agent that the call asks. */
  readonly subagent?: Subagent;
};

export type Facts = ReadonlyMap<string, CallFacts>;
export const noFacts: Facts = new Map();

export function learned(facts: Facts, { sent, event }: Traffic, at: number): Facts {
  if (sent) return answered(facts, fieldsOf(event.item), at);
  const data = fieldsOf(event.data);
  const callId = textIn(data.callId);
  switch (event.type) {
    case 'response.output_item.done':
      return called(facts, fieldsOf(event.item), at);
    case 'response.function_invocation.start': {
      const agentId = textIn(data.chatbotId);
      return known(facts, callId, { startedAt: at, ...(agentId !== undefined && { agentId }) });
    }
    case 'response.function_invocation.done':
      return changed(facts, callId, {
        endedAt: at,
        executionMs: countIn(data.executionTimeSeconds) * 1_000,
      });
    case 'subagent.start':
      return changed(facts, callId, {
        subagent: { id: textIn(data.id) ?? '', name: textIn(data.name) ?? '' },
      });
    default:
      return facts;
  }
}

/** A client tool runs from its call until this page sends the output. */
function called(facts: Facts, item: Fields, at: number): Facts {
  if (item.type !== 'function_call') return facts;
  return known(facts, textIn(item.call_id), { startedAt: at });
}

function answered(facts: Facts, item: Fields, at: number): Facts {
  if (item.type !== 'function_call_output') return facts;
  return changed(facts, textIn(item.call_id), { endedAt: at });
}

/** Keeps earlier facts about a call, but prefers the service's own start time. */
function known(facts: Facts, callId: string | undefined, fact: CallFacts): Facts {
  if (callId === undefined) return facts;
  return new Map(facts).set(callId, { ...facts.get(callId), ...fact });
}

function changed(facts: Facts, callId: string | undefined, change: Partial<CallFacts>): Facts {
  const before = callId === undefined ? undefined : facts.get(callId);
  if (callId === undefined || !before) return facts;
  return new Map(facts).set(callId, { ...before, ...change });
}
