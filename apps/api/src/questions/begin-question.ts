import { randomUUID } from 'node:crypto';
import {
  fileContext,
  lease,
  newRun,
  storedRun,
  questionMessages,
  type Given,
} from '@parley/agent-runtime';
import {
  hasAgent,
  holdQuota,
  insertConversation,
  insertMessages,
  insertRun,
  loadFileTexts,
  noteGivenFiles,
  pastOf,
  quotaUse,
  touchConversations,
  type LeasedRun,
  type OpenedBy,
  type OrganizationScope,
} from '@parley/database';
import { conversationFor, type QuotaGuard } from '@parley/issuing';
import { customEvent, Problem } from '@parley/protocol';
import type { TextMessage } from '@parley/providers';
import { notFound } from '../http/found.js';
import type { QuestionSettings } from './question-desk.js';

/** A recorded question, and the lease under which it is answered. */
export type BegunQuestion = {
  readonly leased: LeasedRun;
  /** The event about the recorded message; undefined if nothing was recorded. */
  readonly messageCreated: string | undefined;
};

export type Asked = {
  /** The model's input besides the conversation's history; it ends with the question. */
  readonly messages: readonly TextMessage[];
  /** What the user says now, for the record; null if nothing is new. */
  readonly said: string | null;
  /** The conversation to continue; null for a new one. */
  readonly conversationId: string | null;
  /** Whether to keep the new one after the answer. */
  readonly keep: boolean;
  readonly fileIds: readonly string[];
  readonly given?: Given;
};

export type QuestionPlace = {
  readonly agentId: string;
  /** Who asks. */
  readonly openedBy: OpenedBy;
  /** The pod to notify if another one answers. */
  readonly watcher: string;
  readonly settings: QuestionSettings;
  readonly quotas: QuotaGuard;
};

/**
 * Records the user's message and the run that answers it before any model is called: whatever dies
 * afterwards, the answer will come.
 */
export async function beginQuestion(
  scope: OrganizationScope,
  { messages, said, conversationId: known, keep, fileIds, given }: Asked,
  { agentId, openedBy, watcher, settings, quotas }: QuestionPlace,
): Promise<BegunQuestion> {
  if (!(await hasAgent(scope, agentId))) throw notFound();
  await quotas.requireTokens(scope);
  const conversationId = keep
    ? await conversationFor(scope, agentId, known)
    : (await insertConversation(scope, agentId, 'passing')).id;
  // Until the question has its place, nobody can delete the conversation or add to it.
  if (!(await touchConversations(scope, [conversationId])).has(conversationId)) throw notFound();
  const { history, lastPosition } = await pastOf(scope, conversationId, {
    messages: settings.REALTIME_HISTORY_MESSAGES,
    characters: settings.REALTIME_HISTORY_CHARACTERS,
  });
  const files = await textOf(scope, fileIds, settings.FILE_CONTEXT_CHARACTERS);
  await noteGivenFiles(scope, conversationId, fileIds);
  const createdAt = new Date();
  const position = Math.max(createdAt.getTime() * 1000, lastPosition + 1);
  const messageCreated =
    said === null || !keep
      ? undefined
      : await recordSaid(scope, { agentId, conversationId, content: said, position, createdAt });
  const asked = questionMessages({ past: history, files, asked: messages });
  const run = storedRun(newRun(asked, position + 1, given));
  const begun = { id: randomUUID(), agentId, conversationId, watcher, owner: randomUUID(), run };
  // Last, so that others of the organization wait as briefly as possible.
  await holdQuota(scope, 'questions');
  await quotas.require(scope, 'questions', { used: await quotaUse.questions(scope), more: 1 });
  await insertRun(scope, { ...begun, ...openedBy, leaseMs: lease.ms });
  const leased = { ...begun, organizationId: scope.organizationId, takeovers: 0 };
  return { leased, messageCreated };
}

type Said = {
  agentId: string;
  conversationId: string;
  content: string;
  position: number;
  createdAt: Date;
};

async function recordSaid(
  scope: OrganizationScope,
  { agentId: chatbotId, conversationId, content, position, createdAt }: Said,
): Promise<string> {
  const said = { id: randomUUID(), role: 'user' as const, content };
  await insertMessages(scope, [
    {
      ...said,
      conversationId,
      sessionId: null,
      position,
      status: 'completed',
      itemId: null,
      contentIndex: 0,
      interrupted: false,
      audioEndMs: null,
      usage: null,
      createdAt,
    },
  ]);
  return customEvent('message.created', {
    chatbotId,
    ...said,
    createdAt: createdAt.toISOString(),
  });
}

/** A file of another organization, an expired one and one that never existed get the same error. */
async function textOf(
  scope: OrganizationScope,
  fileIds: readonly string[],
  characters: number,
): Promise<string> {
  const loaded = await loadFileTexts(scope, fileIds, characters);
  if (loaded.outcome === 'loaded') return fileContext(loaded.files, characters);
  const message = 'is not a temporary file of the organization, or has expired';
  throw new Problem('body-invalid', 'The question is invalid.', {
    errors: loaded.fileIds.map((id) => ({ path: `/fileIds/${fileIds.indexOf(id)}`, message })),
  });
}
