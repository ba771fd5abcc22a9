import { withinBudget, type HistoryBudget, type PastItem } from '@parley/protocol';
import type { OrganizationScope } from '../postgres/database.js';
import { finishedToolCalls, type FinishedToolCall } from '../calls/finished-tool-calls.js';
import { latestMessages, type PlacedMessage } from './messages.js';

export type Past = { readonly history: readonly PastItem[]; readonly lastPosition: number };

/** The part of the conversation that a model has to know, and where it ends. */
export async function pastOf(
  scope: OrganizationScope,
  conversationId: string,
  budget: HistoryBudget,
): Promise<Past> {
  // The last one determines where new messages start, even if none is sent to the model.
  const messages = await latestMessages(scope, conversationId, Math.max(1, budget.messages));
  const lastPosition = messages.at(-1)?.position ?? 0;
  if (budget.messages === 0 || messages.length === 0) return { history: [], lastPosition };
  // A conversation that is shorter than the budget is complete.
  const whole = messages.length < budget.messages;
  const after = whole ? 0 : (messages[0]?.position ?? 0);
  const calls = await finishedToolCalls(scope, { conversationId, after }, budget.messages);
  const placed = [...messages.flatMap(pastMessage), ...calls.map(pastCall)];
  placed.sort((a, b) => a.position - b.position);
  return {
    history: withinBudget(
      placed.map(({ item }) => item),
      budget,
    ),
    lastPosition,
  };
}

/** The calls of a question's tools, for its model to continue from. */
export async function callsOfRun(
  scope: OrganizationScope,
  { id: runId, conversationId }: { id: string; conversationId: string },
  limit: number,
): Promise<PastItem[]> {
  const calls = await finishedToolCalls(scope, { conversationId, runId, after: 0 }, limit);
  return calls.map(pastCall).map(({ item }) => item);
}

type Placed = { readonly position: number; readonly item: PastItem };

/** A tool's message is represented by its call, and a message without text is dropped. */
function pastMessage({ role, content, position }: PlacedMessage): Placed[] {
  if (role === 'tool' || content === '') return [];
  return [{ position, item: { kind: 'message', role, content } }];
}

function pastCall({ callId, name, arguments: input, result, position }: FinishedToolCall): Placed {
  const item = { callId, name, arguments: jsonText(input), output: jsonText(result) };
  return { position, item: { kind: 'call', ...item } };
}

function jsonText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
