import { heardPart, withinBudget, type HistoryBudget, type PastItem } from '@parley/protocol';
import type { OrganizationScope } from '../postgres/database.js';
import { finishedToolCalls, type FinishedToolCall } from '../calls/finished-tool-calls.js';
import { latestMessages, type PartOfConversation, type PlacedMessage } from './messages.js';

export type Past = { readonly history: readonly PastItem[]; readonly lastPosition: number };

/**
 * The part of the conversation that a model has to know, and where it ends. If calls of it go on,
 * messages have their positions.
 */
export async function pastOf(
  scope: OrganizationScope,
  conversationId: string,
  budget: HistoryBudget & { readonly isPlaced?: boolean },
): Promise<Past> {
  // The last one determines where new messages start, even if none is sent to the model.
  const most = Math.max(1, budget.messages);
  const messages = await latestMessages(scope, { conversationId }, most);
  const lastPosition = messages.at(-1)?.position ?? 0;
  if (budget.messages === 0 || messages.length === 0) return { history: [], lastPosition };
  const calls = await callsAmong(scope, { conversationId }, { messages, budget });
  return {
    history: inOrder(
      messages.flatMap((message) => pastMessage(message, budget.isPlaced)),
      calls.map(pastCall),
      budget,
    ),
    lastPosition,
  };
}

/**
 * What was said and done in one session so far, for a provider that continues it. Items keep the
 * ids that the client knows.
 */
export async function pastOfSession(
  scope: OrganizationScope,
  session: { conversationId: string; sessionId: string },
  budget: HistoryBudget,
): Promise<PastItem[]> {
  const messages = await latestMessages(scope, session, budget.messages);
  const calls = await callsAmong(scope, session, { messages, budget });
  return inOrder(sessionMessages(messages), calls.map(sessionCall), budget);
}

/** The calls next to these messages. Fewer messages than the budget are all that there are. */
function callsAmong(
  scope: OrganizationScope,
  part: PartOfConversation,
  { messages, budget }: { messages: readonly PlacedMessage[]; budget: HistoryBudget },
): Promise<FinishedToolCall[]> {
  const whole = messages.length < budget.messages;
  const after = whole ? 0 : (messages[0]?.position ?? 0);
  return finishedToolCalls(scope, { ...part, after }, budget.messages);
}

function inOrder(
  messages: readonly Placed[],
  calls: readonly Placed[],
  budget: HistoryBudget,
): PastItem[] {
  const placed = [...messages, ...calls].sort((a, b) => a.position - b.position);
  return withinBudget(
    placed.map(({ item }) => item),
    budget,
  );
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

type Placed = { readonly position: number; item: PastItem };

/** A tool's message is represented by its call, and a message without text is dropped. */
function pastMessage(message: PlacedMessage, isPlaced = false): Placed[] {
  const { role, position } = message;
  const content = heardOf(message);
  if (role === 'tool' || content === '') return [];
  const place = isPlaced ? { position } : {};
  return [{ position, item: { kind: 'message', role, content, ...place } }];
}

function heardOf({ role, content, audioEndMs }: PlacedMessage): string {
  return role === 'assistant' && audioEndMs !== null ? heardPart(content, audioEndMs) : content;
}

/** What stands for words of the user that nobody has transcribed. */
const inaudible = '[inaudible]';

/**
 * The parts of an item are one message again. The user's turns stay even if their words are
 * unknown, so that the model asks for them.
 */
function sessionMessages(messages: readonly PlacedMessage[]): Placed[] {
  const placed: (Placed & { item: { kind: 'message' } })[] = [];
  for (const message of messages) {
    const { role, itemId, position } = message;
    const content = heardOf(message) || (role === 'user' ? inaudible : '');
    if (role === 'tool' || content === '') continue;
    const last = placed.at(-1);
    if (last && itemId !== null && last.item.itemId === itemId)
      last.item = { ...last.item, content: `${last.item.content}\n${content}` };
    else
      placed.push({
        position,
        item: { kind: 'message', role, content, position, ...(itemId !== null && { itemId }) },
      });
  }
  return placed;
}

function sessionCall(call: FinishedToolCall): Placed {
  const { position, item } = pastCall(call);
  return { position, item: call.itemId === null ? item : { ...item, itemId: call.itemId } };
}

function pastCall({ callId, name, arguments: input, result, position }: FinishedToolCall): Placed {
  const item = { callId, name, arguments: jsonText(input), output: jsonText(result) };
  return { position, item: { kind: 'call', ...item } };
}

function jsonText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
