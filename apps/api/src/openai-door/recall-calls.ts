import { pastMessages } from '@parley/agent-runtime';
import { callsOfRun, findRun, type OrganizationScope } from '@parley/database';
import type { TextMessage } from '@parley/providers';
import { runOfCall } from './call-ids.js';

/** How many of the latest questions are looked up, and how many calls of each. */
const limits = { runs: 16, calls: 100 } as const;

/**
 * Adds to the caller's history what it does not contain: what the agent's own tools did before they
 * left a call to the caller. Without it, a model would call them again. It is known for as long as
 * the text of that question is kept.
 */
export async function recallCalls(
  scope: OrganizationScope,
  agentId: string,
  messages: readonly TextMessage[],
): Promise<TextMessage[]> {
  const wanted = new Set(messages.flatMap((message) => runOf(message) ?? []));
  const known = new Map<string, TextMessage[]>();
  for (const id of [...wanted].slice(-limits.runs)) {
    const run = await findRun(scope, id);
    if (run?.agentId !== agentId || run.run === null) continue;
    known.set(id, (await callsOfRun(scope, run, limits.calls)).flatMap(pastMessages));
  }
  return messages.flatMap((message) => [...(known.get(runOf(message) ?? '') ?? []), message]);
}

function runOf(message: TextMessage): string | undefined {
  if (message.role !== 'assistant') return undefined;
  return runOfCall(message.toolCalls[0]?.callId ?? '');
}
