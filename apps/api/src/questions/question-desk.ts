import { setMaxListeners } from 'node:events';
import {
  advanceRun,
  RunLost,
  type AdvanceOptions,
  type Advanced,
  type QuestionListener,
} from '@parley/agent-runtime';
import {
  findAnswer,
  findRun,
  waitingCallsOfRun,
  type LeasedRun,
  type OrganizationScope,
} from '@parley/database';
import { Problem, type QuestionAnswer } from '@parley/protocol';
import type { ConfigOf } from '@parley/service-kit';
import { notFound } from '../http/found.js';
import type { RunHints } from './run-hints.js';

export type QuestionSettings = Pick<
  ConfigOf<'api'>,
  | 'QUESTION_TIMEOUT_SECONDS'
  | 'REALTIME_HISTORY_MESSAGES'
  | 'REALTIME_HISTORY_CHARACTERS'
  | 'FILE_CONTEXT_CHARACTERS'
>;

export type QuestionDeskOptions = AdvanceOptions & {
  readonly hints: RunHints;
  readonly settings: QuestionSettings;
};

/** Answers questions in this process, and waits for them wherever they are answered. */
export type QuestionDesk = {
  readonly podId: string;
  readonly settings: QuestionSettings;
  readonly metrics: AdvanceOptions['metrics'];
  /** Starts answering. The work continues whether or not anybody waits for it. */
  start(leased: LeasedRun, listener: QuestionListener): Promise<Advanced | undefined>;
  /** The current state of a run, or why there is no answer. Throws not-found if it was deleted. */
  read(run: RunPlace): Promise<QuestionAnswer>;
  news(runId: string, signal: AbortSignal): Promise<void>;
  /**
   * Fires when this process is about to shut down: callers that wait for other processes are
   * released.
   */
  readonly leaving: AbortSignal;
  leave(): void;
  /** Resolves when nothing is being answered here any more. */
  settled(): Promise<void>;
};

export type RunPlace = Pick<LeasedRun, 'id' | 'organizationId'>;

export function createQuestionDesk(options: QuestionDeskOptions): QuestionDesk {
  const { database, hints, settings, metrics, report } = options;
  const leaving = new AbortController();
  // Everyone who waits listens; Node reports eleven listeners as a leak.
  setMaxListeners(0, leaving.signal);
  const working = new Set<Promise<unknown>>();
  return {
    podId: hints.podId,
    settings,
    metrics,
    start(leased, listener) {
      const work = advanceRun(options, leased, listener).catch((error: unknown) => {
        // Another process continues it, or it was deleted: PostgreSQL knows.
        if (error instanceof RunLost) return undefined;
        report('question interrupted; a worker will take over', { err: error, run: leased.id });
        throw error;
      });
      const done: Promise<unknown> = work
        .catch(() => undefined)
        .finally(() => working.delete(done));
      working.add(done);
      return work;
    },
    read: (run) => database.inSnapshot(run.organizationId, (scope) => read(scope, run.id)),
    news: (runId, signal) => hints.news(runId, signal),
    leaving: leaving.signal,
    leave: () => leaving.abort(),
    async settled() {
      while (working.size > 0) await Promise.all(working);
    },
  };
}

async function read(scope: OrganizationScope, id: string): Promise<QuestionAnswer> {
  const run = await findRun(scope, id);
  if (!run) throw notFound();
  const known = { conversationId: run.conversationId, messageId: id, answer: '', approvals: [] };
  switch (run.state) {
    case 'open':
      return { ...known, status: 'inProgress' };
    case 'waiting': {
      const calls = await waitingCallsOfRun(scope, id);
      const approvals = calls.map(({ deadline, ...call }) => ({
        ...call,
        deadline: deadline.toISOString(),
      }));
      // Decided, and about to continue.
      if (approvals.length === 0) return { ...known, status: 'inProgress' };
      return { ...known, status: 'waitingForApproval', approvals };
    }
    case 'answered':
      return { ...known, status: 'completed', answer: (await findAnswer(scope, id)) ?? '' };
    case 'failed':
      throw new Problem('provider-unavailable', run.failure ?? 'The model gave no answer.');
  }
}
