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

/** Where questions are answered in this process, and waited for wherever they are answered. */
export type QuestionDesk = {
  readonly podId: string;
  readonly settings: QuestionSettings;
  readonly metrics: AdvanceOptions['metrics'];
  /** Begins to answer. The work goes on whether or not anybody waits for it. */
  start(leased: LeasedRun, listener: QuestionListener): Promise<Advanced | undefined>;
  /** What is known of a run: how it stands, or why there is no answer. Throws not-found when it was deleted. */
  read(run: RunPlace): Promise<QuestionAnswer>;
  news(runId: string, signal: AbortSignal): Promise<void>;
  /** Fires when this process is about to end: who waits for others is let go. */
  readonly leaving: AbortSignal;
  leave(): void;
  /** When nothing is being answered here any more. */
  settled(): Promise<void>;
};

export type RunPlace = Pick<LeasedRun, 'id' | 'organizationId'>;

export function createQuestionDesk(options: QuestionDeskOptions): QuestionDesk {
  const { database, hints, settings, metrics, report } = options;
  const leaving = new AbortController();
  const working = new Set<Promise<unknown>>();
  return {
    podId: hints.podId,
    settings,
    metrics,
    start(leased, listener) {
      const work = advanceRun(options, leased, listener).catch((error: unknown) => {
        // Somebody else goes on with it, or it was deleted: the record knows.
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
      // Decided, and about to go on.
      if (approvals.length === 0) return { ...known, status: 'inProgress' };
      return { ...known, status: 'waitingForApproval', approvals };
    }
    case 'answered':
      return { ...known, status: 'completed', answer: (await findAnswer(scope, id)) ?? '' };
    case 'failed':
      throw new Problem('provider-unavailable', run.failure ?? 'The model gave no answer.');
  }
}
