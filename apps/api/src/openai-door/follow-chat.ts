import {
  cancelRun,
  findAnswer,
  findRun,
  forgetWords,
  usageOfRun,
  type OrganizationScope,
} from '@parley/database';
import { Problem } from '@parley/protocol';
import type { TextToolCall } from '@parley/providers';
import type { BegunQuestion } from '../questions/begin-question.js';
import { eitherSignal } from '../questions/either-signal.js';
import type { ChatQuestion } from './chat-request.js';
import type { Completed } from './completion.js';
import type { DoorPorts } from './door.js';

export type FollowedChat = {
  readonly ports: Pick<DoorPorts, 'database' | 'questions'>;
  readonly begun: BegunQuestion;
  readonly chat: Pick<ChatQuestion, 'conversationId'>;
};

/**
 * Follows a question to its end, here or in a worker. A question that is not kept cannot be
 * resumed, so it is cancelled when its caller disconnects.
 */
export async function followChat(
  { ports, begun, chat }: FollowedChat,
  until: AbortSignal,
): Promise<Completed> {
  const { questions: desk, database } = ports;
  const { id, organizationId, conversationId } = begun.leased;
  const inScope = <T>(work: (scope: OrganizationScope) => Promise<T>) =>
    database.inOrganization(organizationId, work);
  const passing = isPassing({ chat });
  const signal = eitherSignal(until, desk.leaving);
  for (;;) {
    const found = await inScope((scope) => read(scope, id));
    // Calls that are left to the caller are looked up again later.
    const isOver = found.state === 'failed' || (found.state === 'done' && !found.done.calls.length);
    if (passing && isOver) await inScope((scope) => forgetWords(scope, conversationId));
    if (found.state === 'done') return found.done;
    if (found.state === 'failed') throw found.problem;
    if (signal.aborted) {
      await withdraw({ ports, begun, chat });
      const waits = found.state === 'waiting';
      throw tooLate({ waits, passing, leaving: desk.leaving.aborted });
    }
    await desk.news(id, signal);
  }
}

/** Cancels a question that nobody could come back to. */
export async function withdraw({ ports, begun, chat }: FollowedChat): Promise<void> {
  if (!isPassing({ chat })) return;
  const { id, organizationId, conversationId } = begun.leased;
  await ports.database.inOrganization(organizationId, async (scope) => {
    await cancelRun(scope, id, 'Nobody waits for the answer any more.');
    await forgetWords(scope, conversationId);
  });
}

function isPassing({ chat }: Pick<FollowedChat, 'chat'>): boolean {
  return chat.conversationId === null;
}

type Found =
  | { state: 'done'; done: Completed }
  | { state: 'failed'; problem: Problem }
  | { state: 'open' | 'waiting' };

async function read(scope: OrganizationScope, id: string): Promise<Found> {
  const run = await findRun(scope, id);
  if (!run) throw new Problem('conflict', 'The conversation was deleted.');
  if (run.state === 'failed') {
    const reason = run.failure ?? 'The model gave no answer.';
    return { state: 'failed', problem: new Problem('provider-unavailable', reason) };
  }
  if (run.state !== 'answered') return { state: run.state };
  const calls = (run.run ?? []) as TextToolCall[];
  const content = (await findAnswer(scope, id)) ?? '';
  return { state: 'done', done: { content, calls, usage: await usageOfRun(scope, id) } };
}

type Lateness = { waits: boolean; passing: boolean; leaving: boolean };

function tooLate({ waits, passing, leaving }: Lateness): Problem {
  const fate = passing
    ? 'The question was cancelled.'
    : 'The question continues, and its answer will be added to the conversation.';
  if (leaving) return new Problem('service-unavailable', `The instance is shutting down. ${fate}`);
  if (!waits) return new Problem('answer-late', `There was no answer in time. ${fate}`);
  const detail = `One of the agent’s tools needs approval, and nobody approved it in time. ${fate}`;
  return new Problem('approval-pending', detail);
}
