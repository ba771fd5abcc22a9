import {
  checkpointRun,
  finishRun,
  isRunDue,
  renewRun,
  suspendRun,
  type Database,
  type LeasedRun,
  type OrganizationScope,
  type RecordJournal,
} from '@parley/database';
import { publishTo, type JobProducer, type Publisher } from '@parley/session-store';
import type { Report } from '../tools/attempt.js';
import { newRun, waitingApprovals, type Run } from '../calls/call.js';
import { AgentNotFound } from '../create-runtime.js';
import { deadline } from '../deadline.js';
import type { AgentRuntime, CallEvent } from '../runtime.js';
import { lease, RunLost, whileLeased } from './lease.js';
import type { QuestionMetrics } from './question-metrics.js';
import { readRun, RunUnreadable, storedRun } from './stored-run.js';

export type AdvanceOptions = {
  readonly database: Database;
  /** The runtime's journal. */
  readonly journal: Pick<RecordJournal, 'caughtUp'>;
  readonly runtime: AgentRuntime;
  readonly producer: Pick<JobProducer, 'enqueueRun'>;
  /** Notifies the pod whose caller waits. */
  readonly redis: Publisher;
  readonly metrics: QuestionMetrics;
  readonly report: Report;
};

/** Receives the progress of a question. */
export type QuestionListener = {
  readonly onEvent: (event: CallEvent) => void;
  readonly onText: (delta: string) => void;
};

export type Advanced =
  | { readonly state: 'answered'; readonly answer: string }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'waiting' };

/**
 * Without this limit, a provider that falls silent in the middle of its answer would hold the run
 * forever.
 */
const legMs = 600_000;
/** How many processes may die working on a run before the run counts as the cause. */
const maxTakeovers = 5;

const reasons = {
  agentGone: 'The agent does not exist any more.',
  tooLong: 'The answer took too long.',
  unreadable: 'The question could not be continued: its stored progress cannot be read.',
  keepsFailing: 'The question could not be answered: every attempt was interrupted.',
} as const;

/**
 * Advances a run as far as possible: to its answer, its failure, or the next approval. Each step is
 * stored before the next starts, so that a process that takes over repeats no tool. Throws RunLost,
 * or the error of a store; another process then takes over once the lease has expired.
 */
export async function advanceRun(
  options: AdvanceOptions,
  leased: LeasedRun,
  listener: QuestionListener = { onEvent: () => undefined, onText: () => undefined },
): Promise<Advanced> {
  const { database, journal } = options;
  const inScope = <T>(work: (scope: OrganizationScope) => Promise<T>) =>
    database.inOrganization(leased.organizationId, work);
  const renew = () => inScope((scope) => renewRun(scope, leased, lease.ms));
  return whileLeased(renew, async (lost) => {
    const run = await answerOf(options, leased, { listener, lost });
    // Whoever reads the answer finds its calls and its cost in the record.
    await journal.caughtUp(leased.organizationId);
    if (run.state === 'waiting') return suspend(options, leased, run);
    return finish(options, leased, run);
  });
}

async function answerOf(
  { database, runtime, report }: AdvanceOptions,
  leased: LeasedRun,
  { listener, lost }: { listener: QuestionListener; lost: AbortSignal },
): Promise<Run> {
  const { organizationId, conversationId, agentId } = leased;
  const run = progressOf(leased, report);
  if (run.state === 'failed') return run;
  if (leased.takeovers > maxTakeovers) return failed(run, reasons.keepsFailing);
  const place = { organizationId, conversationId, sessionId: null, runId: leased.id };
  const { onEvent, onText } = listener;
  const tooLong = deadline(legMs);
  const signal = AbortSignal.any([tooLong, lost]);
  let last = run;
  const onProgress = async (progress: Run) => {
    const kept = await database.background.inOrganization(organizationId, (scope) =>
      checkpointRun(scope, leased, storedRun(progress)),
    );
    if (!kept) throw new RunLost();
    last = progress;
  };
  try {
    const answerer = await runtime.openAnswerer(place, agentId, {
      emit: onEvent,
      owner: null,
      reservedNames: (run.given?.tools ?? []).map(({ name }) => name),
    });
    try {
      return await answerer.answer(run, signal, { onText, onProgress });
    } finally {
      await answerer.toolbox.close();
    }
  } catch (error) {
    if (error instanceof AgentNotFound) return failed(last, reasons.agentGone);
    lost.throwIfAborted();
    if (tooLong.aborted) return failed(last, reasons.tooLong);
    throw error;
  }
}

/** A run that nobody can read fails: otherwise, it would be taken over again and again. */
function progressOf({ id, run }: LeasedRun, report: Report): Run {
  try {
    return readRun(run);
  } catch (err) {
    if (!(err instanceof RunUnreadable)) throw err;
    report('stored question unreadable', { err, run: id });
    return failed(newRun([], 0), reasons.unreadable);
  }
}

function failed(run: Run, answer: string): Run {
  return { ...run, state: 'failed', answer };
}

async function suspend(
  { database, producer, report, metrics }: AdvanceOptions,
  leased: LeasedRun,
  run: Run,
): Promise<Advanced> {
  const { id, organizationId } = leased;
  const waitingFor = run.openCalls.flatMap(waitingApprovals).map((approval) => approval.id);
  const inScope = <T>(work: (scope: OrganizationScope) => Promise<T>) =>
    database.inOrganization(organizationId, work);
  if (!(await inScope((scope) => suspendRun(scope, leased, { run: storedRun(run), waitingFor }))))
    throw new RunLost();
  metrics.ended('waiting');
  // A decision made meanwhile found the run in our hands. If this hint is lost, too, the sweep
  // finds the run.
  if (await inScope((scope) => isRunDue(scope, id)))
    await producer
      .enqueueRun(id)
      .catch((err: unknown) => report('queueing run failed', { err, run: id }));
  return { state: 'waiting' };
}

async function finish(
  { database, redis, report, metrics }: AdvanceOptions,
  leased: LeasedRun,
  run: Run,
): Promise<Advanced> {
  const state = run.state === 'answered' ? 'answered' : 'failed';
  const [content, failure] = state === 'answered' ? [run.answer, null] : ['', run.answer];
  const position = Math.max(Date.now() * 1000, run.position);
  const first = await database.inOrganization(leased.organizationId, (scope) =>
    finishRun(scope, leased, { state, content, failure, position, handed: run.handed }),
  );
  if (!first) throw new RunLost();
  metrics.ended(state);
  const { id, watcher } = leased;
  if (watcher !== null)
    await publishTo(redis, watcher, { kind: 'run', id }).catch((err: unknown) =>
      report('answer notification failed', { err, run: id }),
    );
  return state === 'answered' ? { state, answer: run.answer } : { state, reason: run.answer };
}
